# corpusguard in a small image: docker build -t corpusguard .
#
#   docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
#     -v "$PWD:/corpusguard" corpusguard verify
#
# The folder mounted at /corpusguard holds corpusguard.toml, the corpora, history and snapshots, and
# must be writable for user 10001. Nothing else is written, but for /tmp.

# A tag, because this file is written without a registry at hand. Pin what you ship:
# python:3.13-slim-bookworm@sha256:… (docker buildx imagetools inspect prints the digest).
FROM python:3.13-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY sources/sample.toml sources/ontario-elaws.toml sources/
COPY snapshots/sample/ snapshots/sample/
COPY corpusguard/ corpusguard/
RUN python -m venv /opt/corpusguard \
    && /opt/corpusguard/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
       ".[attest,notify,timestamp,warc]" \
    && /opt/corpusguard/bin/python -m pip uninstall --yes --quiet pip

FROM python:3.13-slim-bookworm
LABEL org.opencontainers.image.title="corpusguard" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --gid 10001 corpusguard \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /corpusguard \
       --shell /usr/sbin/nologin corpusguard \
    && install -d -o corpusguard -g corpusguard /corpusguard
COPY --from=build /opt/corpusguard /opt/corpusguard
ENV PATH=/opt/corpusguard/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
WORKDIR /corpusguard
USER 10001:10001
# Unhealthy: the stored law is not verified, or was not for too long. The first run may be a day
# away. Docker knows only 0 and 1.
HEALTHCHECK --interval=5m --timeout=1m --start-period=26h --retries=1 \
    CMD ["/bin/sh", "-c", "corpusguard --quiet status || exit 1"]
ENTRYPOINT ["corpusguard"]
CMD ["schedule", "run"]

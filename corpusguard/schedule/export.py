"""Files that make other schedulers start the runs: cron, systemd, Kubernetes, GitHub Actions.

Each runs ``corpusguard schedule run --now --name NAME``: the other scheduler decides when, this
one what. Whatever comes from outside (paths, image) is escaped for the tool that reads it; what
no tool could read in one line is refused.
"""

from __future__ import annotations

import calendar
import json
import re
import shlex
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from corpusguard.errors import ConfigError
from corpusguard.schedule.due import ON_TIME
from corpusguard.schedule.spec import CatchUp

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corpusguard.schedule.spec import Schedule


@dataclass(frozen=True, slots=True)
class Place:
    """Where the exported files will find things."""

    program: tuple[str, ...]
    """The argument vector that starts corpusguard: an absolute path, or an interpreter with
    ``-m corpusguard``."""
    config: str
    """The configuration: absolute; for GitHub relative to the repository."""
    writable: tuple[str, ...] = ()
    """Folders that a run writes to: those of history, snapshots and reports."""
    kept: tuple[str, ...] = ()
    """Files and folders that the next run needs: history, what people were told, snapshots."""
    reports: str = ""
    """Folder of the reports, where the schedule writes any."""
    variables: tuple[str, ...] = ()
    """GitHub: environment variables that a run reads, each from a secret of the same name."""
    extras: tuple[str, ...] = ()
    """GitHub: extras of the package that a run needs."""
    image: str = "corpusguard:latest"
    """Kubernetes: the container image."""

    def __post_init__(self) -> None:
        """Refuse what would end a line, or be taken for a GitHub expression."""
        places = (*self.program, self.config, *self.writable, *self.kept, self.reports, self.image)
        for text in places:
            if not text.isprintable() or "${{" in text:
                raise ConfigError(
                    f"{text!r} holds characters that cannot be written into a schedule file",
                    hint="move it to a path without line breaks, control characters and '${{'",
                )
        for name in self.variables:
            if not _VARIABLE.fullmatch(name) or name.upper().startswith("GITHUB_"):
                raise ConfigError(
                    f"no secret of GitHub can be named {name!r}",
                    hint="use a variable of letters, digits and underscores, not GITHUB_…",
                )

    def command(self, schedule: Schedule, *options: str) -> tuple[str, ...]:
        """Return the argument vector of a run.

        Without ``--quiet``: that tool's log is the only place where the verdict, and the head of
        the chain outside of the database, can be read.
        """
        head = (*self.program, "--config", self.config, "schedule", "run")
        return (*head, *options, "--name", schedule.name)


def crontab(schedule: Schedule, place: Place) -> dict[str, str]:
    """Return a crontab fragment."""
    # In a crontab "%" ends the command, inside quotes too.
    line = shlex.join(place.command(schedule, "--now")).replace("%", r"\%")
    polling = shlex.join(place.command(schedule, "--once")).replace("%", r"\%")
    text = f"""\
# corpusguard schedule {schedule.name}. Put this at the end of a crontab: CRON_TZ holds for every
# line after it. cronie and fcron know CRON_TZ; the cron of Debian and Ubuntu does not, and runs
# this at that hour of the system's own time zone. There, take the second line instead: it asks
# every ten minutes whether a run is due in {schedule.zone.key}, and makes up for missed ones.
# cron itself neither makes up for missed runs nor spreads them. What a run logs (verdict, counts,
# exit code, head of the chain) goes to standard error, which cron mails to MAILTO; for the system's
# log instead, end the line with: 2>&1 | logger -t corpusguard
CRON_TZ={schedule.zone.key}
{schedule.when.text} {line}
# */10 * * * * {polling}
"""
    return {f"corpusguard-{schedule.name}.crontab": text}


def systemd(schedule: Schedule, place: Place) -> dict[str, str]:
    """Return a service and its timer."""
    name = f"corpusguard-{schedule.name}"
    words = place.command(schedule, "--now")
    start = " ".join(_systemd_word(word).replace("$", "$$") for word in words)
    writable = " ".join(_systemd_word(f"-{folder}") for folder in place.writable)
    folder = str(PurePosixPath(place.config).parent).replace("%", "%%")
    service = f"""\
[Unit]
Description=corpusguard: verify stored law, schedule {schedule.name}
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
# A user of its own, who owns the folders below, is better than root:
# User=corpusguard
WorkingDirectory={folder}
ExecStart={start}
TimeoutStopSec=30
UMask=0027
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectSystem=strict
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
"""
    if writable:
        service += f"ReadWritePaths={writable}\n"
    calendar_lines = "\n".join(f"OnCalendar={line}" for line in on_calendar(schedule))
    delay = int(schedule.jitter.total_seconds())
    once = schedule.catch_up is CatchUp.ONCE
    timer = f"""\
[Unit]
Description=corpusguard: when schedule {schedule.name} runs

[Timer]
{calendar_lines}
RandomizedDelaySec={delay}s
AccuracySec=1s
# systemd leaves out a time that a clock change skips: choose one that none does.
# Whether a run missed while the machine was off is made up for; systemd has no limit of how late.
Persistent={"true" if once else "false"}

[Install]
WantedBy=timers.target
"""
    return {f"{name}.service": service, f"{name}.timer": timer}


def on_calendar(schedule: Schedule) -> list[str]:
    """Return the calendar expressions, of which each starts a run.

    Two where either day field will do: systemd joins its own by "and", cron by "or".
    """
    cron = schedule.when
    names = [calendar.day_abbr[(day - 1) % 7] for day in cron.weekday.values]
    weekdays = "" if cron.weekday.every else ",".join(names) + " "
    month = _listed(cron.month.values, whole=cron.month.every)
    day = _listed(cron.day.values, whole=cron.day.every)
    hour = _listed(cron.hour.values, whole=cron.hour.every)
    minute = _listed(cron.minute.values, whole=cron.minute.every)
    time = f"{hour}:{minute}:00 {schedule.zone.key}"
    if cron.either_day:
        return [f"*-{month}-{day} {time}", f"{weekdays}*-{month}-* {time}"]
    return [f"{weekdays}*-{month}-{day} {time}"]


def kubernetes(schedule: Schedule, place: Place) -> dict[str, str]:
    """Return a CronJob with the claim that keeps history and snapshots."""
    name = f"corpusguard-{schedule.name}"
    missed = schedule.catch_up_within if schedule.catch_up is CatchUp.ONCE else ON_TIME
    deadline = int(max(missed, ON_TIME).total_seconds())
    text = f"""\
# corpusguard schedule {schedule.name}. The volume holds the configuration, the corpora, history
# and snapshots. It must not be shared over a network file system without locks.
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: corpusguard
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 5Gi
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {name}
  labels:
    app.kubernetes.io/name: corpusguard
spec:
  schedule: {json.dumps(schedule.when.text)}
  timeZone: {json.dumps(schedule.zone.key)}
  # Kubernetes leaves out a time that a clock change skips: choose one that none does.
  # A run that could not begin on time begins up to so many seconds later.
  startingDeadlineSeconds: {deadline}
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 7
  jobTemplate:
    spec:
      # Findings (exit 1) do not go away by trying again.
      backoffLimit: 0
      template:
        metadata:
          labels:
            app.kubernetes.io/name: corpusguard
        spec:
          restartPolicy: Never
          terminationGracePeriodSeconds: 30
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 10001
            fsGroup: 10001
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: corpusguard
              image: {json.dumps(place.image)}
              command: {json.dumps(_kubernetes_words(place.command(schedule, "--now")))}
              workingDir: {json.dumps(_kubernetes_words((_parent(place),))[0])}
              resources:
                requests:
                  cpu: 250m
                  memory: 512Mi
                limits:
                  memory: 2Gi
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop: [ALL]
              volumeMounts:
                - name: data
                  mountPath: {json.dumps(_parent(place))}
                - name: tmp
                  mountPath: /tmp
          volumes:
            - name: data
              persistentVolumeClaim:
                claimName: corpusguard
            - name: tmp
              emptyDir: {{}}
"""
    return {f"{name}.yaml": text}


def github(schedule: Schedule, place: Place) -> dict[str, str]:
    """Return a workflow for ``.github/workflows/``."""
    name = f"corpusguard-{schedule.name}"
    run = shlex.join(place.command(schedule, "--now"))
    # The action shares these keys, so that its gate finds what these nights kept.
    key = "corpusguard/default/${{ github.run_id }}-${{ github.run_attempt }}"
    kept = "".join(f"            {path}\n" for path in place.kept)
    package = "corpusguard-law" + (f"[{','.join(place.extras)}]" if place.extras else "")
    text = f"""\
# corpusguard schedule {schedule.name}: a file for .github/workflows, on the default branch.
# GitHub starts scheduled runs late at busy times, may drop one, and stops them in a public
# repository after 60 days without activity: have a dead-man ping or `corpusguard status` watch it.
{_wanted(place.variables)}name: {name}
on:
  schedule:
    - cron: {json.dumps(schedule.when.text)}
      timezone: {json.dumps(schedule.zone.key)}
  workflow_dispatch:
permissions:
  contents: read
concurrency:
  group: corpusguard
  cancel-in-progress: false
jobs:
  verify:
    name: Verify stored law
    runs-on: ubuntu-latest
    timeout-minutes: 180
    steps:
      - uses: actions/checkout@{_CHECKOUT}
        with:
          persist-credentials: false
      - uses: actions/setup-python@{_PYTHON}
        with:
          python-version: "3.13"
      - run: python -m pip install {shlex.quote(package)}
      # Without the history of earlier nights every night is the first.
      - uses: actions/cache/restore@{_CACHE}
        with:
          path: |
{kept}          key: {key}
          restore-keys: corpusguard/default/
      - name: Verify
        # While it runs, the runner takes no command from what is logged: ids come from corpora.
        run: |
          token="$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')"
          echo "::stop-commands::$token"
          code=0
          {run} 2>&1 || code=$?
          printf '\\n::%s::\\n' "$token"
          exit "$code"
{_secrets(place.variables)}      - uses: actions/cache/save@{_CACHE}
        if: always()
        with:
          path: |
{kept}          key: {key}
"""
    if place.reports:
        # A name of its own for each attempt: an artifact is never written over.
        text += f"""\
      - uses: actions/upload-artifact@{_UPLOAD}
        if: always()
        with:
          name: {name}-reports-${{{{ github.run_attempt }}}}
          path: {json.dumps(place.reports)}
          if-no-files-found: ignore
"""
    return {f"{name}.yml": text}


def _wanted(variables: tuple[str, ...]) -> str:
    if not variables:
        return ""
    return f"# Secrets of the repository that it needs: {', '.join(variables)}.\n"


def _secrets(variables: tuple[str, ...]) -> str:
    """Return the ``env`` of the step that runs: it alone sees the secrets."""
    if not variables:
        return ""
    lines = [f"          {name}: ${{{{ secrets.{name} }}}}\n" for name in variables]
    return "".join(["        env:\n", *lines])


# Commits, not tags, which their owners can move; zizmor asks for it.
_CHECKOUT: Final = "8e8c483db84b4bee98b60c0593521ed34d9990e8 # v6.0.1"
_PYTHON: Final = "a309ff8b426b58ec0e2a45f0f869d46889d02405 # v6.2.0"
_CACHE: Final = "55cc8345863c7cc4c66a329aec7e433d2d1c52a9 # v6.1.0"
_UPLOAD: Final = "ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2"
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")


TARGETS: Final[Mapping[str, Callable[[Schedule, Place], dict[str, str]]]] = {
    "cron": crontab,
    "systemd": systemd,
    "kubernetes": kubernetes,
    "github": github,
}
"""What ``schedule export`` writes for: name -> (schedule, place) -> file name -> text."""


def _systemd_word(word: str) -> str:
    r"""Quote a word for a unit: ``\`` and ``"``, and ``%``, which begins a specifier."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    plain = all(character.isalnum() or character in "/._-=:@+" for character in word)
    return escaped if plain and word else f'"{escaped}"'


def _kubernetes_words(words: tuple[str, ...]) -> list[str]:
    """Keep ``$(NAME)`` from being replaced by a variable."""
    return [word.replace("$(", "$$(") for word in words]


def _parent(place: Place) -> str:
    return str(PurePosixPath(place.config).parent)


def _listed(values: tuple[int, ...], *, whole: bool) -> str:
    return "*" if whole else ",".join(f"{value:02}" for value in values)

"""What the configuration accepts, and what it says when it does not."""

from pathlib import Path

import pytest

from corpusguard.config import Config, config_template, load_config
from corpusguard.errors import ConfigError

SOURCE = """\
[source]
publisher = "ontario-elaws"
base_url = "https://www.ontario.ca"
min_delay_seconds = 1.0
[[document]]
id = "ca-on/statute/06r17@en"
title = "Quay Keepers Act, 2006"
code = "S.O. 2006, chapter 17"
second_rendition = "docx"
"""

MAIN = """\
[corpusguard]
sources = ["sources/s.toml"]
[[corpus]]
name = "tenancy"
reader = "json"
path = "chunks.json"
rows = "chunks"
document = "ca-on/statute/06r17@en"
fields = { id = "id", text = "text", section = "metadata.section_number" }
"""


def write(root: Path, main: str = MAIN, source: str = SOURCE) -> Path:
    (root / "sources").mkdir(exist_ok=True)
    (root / "sources" / "s.toml").write_text(source, encoding="utf-8")
    file = root / "corpusguard.toml"
    file.write_text(main, encoding="utf-8")
    return file


def refused(root: Path, main: str = MAIN, source: str = SOURCE) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load_config(write(root, main, source))
    assert caught.value.hint, "every error says the next step"
    return caught.value


def with_corpus(line: str, *, without: str = "") -> str:
    kept = "".join(
        text
        for text in MAIN.splitlines(keepends=True)
        if not without or not text.startswith(without)
    )
    return kept + line + "\n"


def with_source(old: str, new: str) -> str:
    assert old in SOURCE
    return SOURCE.replace(old, new)


def test_contract_sample_loads_with_documented_defaults(tmp_path):
    """The sample of the contract becomes specs; paths hang from the file's own folder."""
    config = load_config(write(tmp_path))

    assert isinstance(config, Config)
    assert config.root == tmp_path.resolve()
    assert config.history == tmp_path.resolve() / "history.db"
    assert config.snapshots == tmp_path.resolve() / "snapshots"
    source = config.sources[0]
    assert (source.path, source.base_url) == ("sources/s.toml", "https://www.ontario.ca")
    assert source.documents[0].second_rendition == "docx"
    assert source.documents[0].publisher == "ontario-elaws"
    corpus = config.corpora[0]
    assert (corpus.reader, corpus.rows, corpus.recipe) == ("json", "chunks", "anchored")
    assert corpus.max_age_seconds == 36 * 3600
    assert corpus.fields["section"] == "metadata.section_number"


def test_template_of_init_loads(tmp_path):
    """What `init` writes is itself a valid configuration, and so is each commented line in it."""
    main = config_template().replace("ontario-elaws.toml", "s.toml")
    assert load_config(write(tmp_path, main)).corpora[0].name == "my-corpus"

    uncommented = main
    for key in ("fields", "status", "as_of", "strip_prefix"):
        uncommented = uncommented.replace(f"# {key} =", f"{key} =")
    corpus = load_config(write(tmp_path, uncommented)).corpora[0]
    assert corpus.status_field == "metadata.status"
    assert corpus.as_of == "2026-01-31"
    assert corpus.strip_prefix == "{title}, s. {section}\n"


def test_found_upward_from_the_current_folder(tmp_path, monkeypatch):
    """Without a path the nearest file upward is taken."""
    write(tmp_path)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)

    assert load_config(None).root == tmp_path.resolve()


def test_pyproject_table_is_read(tmp_path, monkeypatch):
    """`[tool.corpusguard]` holds the same keys; a pyproject without it is passed over."""
    write(tmp_path)
    (tmp_path / "corpusguard.toml").unlink()
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\n[tool.corpusguard]\nsources = ["sources/s.toml"]\n'
        '[[tool.corpusguard.corpus]]\nname = "t"\nreader = "jsonl"\npath = "p.jsonl"\n',
        encoding="utf-8",
    )
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[project]\nname = "y"\n', encoding="utf-8")
    monkeypatch.chdir(inner)

    assert load_config(None).corpora[0].name == "t"
    with pytest.raises(ConfigError, match=r"no \[tool\.corpusguard\]"):
        load_config(inner / "pyproject.toml")


def test_no_configuration_names_init(tmp_path, monkeypatch):
    """Nothing found says how to begin."""
    monkeypatch.chdir(tmp_path)

    with pytest.raises(ConfigError) as caught:
        load_config(None)

    assert "corpusguard init" in caught.value.hint


@pytest.mark.parametrize(
    ("main", "key", "near"),
    [
        (MAIN.replace("sources =", 'hystory = "x"\nsources ='), "hystory", "history"),
        (with_corpus('reciepe = "section"'), "reciepe", "recipe"),
        (with_corpus("[[corpis]]"), "corpis", "corpus"),
        (MAIN.replace("section =", "secton ="), "secton", "section"),
        (MAIN.replace('"json"', '"jason"'), "jason", "json"),
    ],
)
def test_unknown_key_names_the_nearest_and_the_file(tmp_path, main, key, near):
    """A misspelt key is an error that names file, key and the nearest known key."""
    error = refused(tmp_path, main)

    assert key in error.message
    assert "corpusguard.toml" in error.message
    assert f"`{near}`" in error.hint


def test_unknown_key_in_a_source_names_that_file(tmp_path):
    """The file named is the source's own."""
    error = refused(tmp_path, source=with_source("min_delay_seconds", "min_delay_second"))

    assert "s.toml" in error.message
    assert "`min_delay_seconds`" in error.hint


@pytest.mark.parametrize(
    ("line", "without", "words"),
    [
        ('max_age = "36"', "", ["max_age", "'36'", "duration"]),
        ('max_age = "0h"', "", ["max_age"]),
        ('max_age = "9999d"', "", ["max_age", "3650d"]),
        ("max_age = 36", "", ["max_age", "text in quotes"]),
        ('as_of = "last week"', "", ["as_of", "2026-01-31"]),
        ('as_of = "2026-13-01"', "", ["as_of", "2026-01-31"]),
        ("", "name", ["name is missing"]),
        ('name = " "', "name", ["name", "not empty"]),
        ("as_of = 2026-01-31T10:00:00", "", ["as_of", "day"]),
        ('recipe = "by section"', "", ["recipe", "module:function"]),
        ('recipe = "os.system:"', "", ["recipe"]),
        ('template = "{text}"', "", ["template", "recipe"]),
        ('recipe = "section"\ntemplate = "{heading}"', "", ["template", "{text}"]),
        ('recipe = "section"\ntemplate = "{text.__class__}"', "", ["template"]),
        ('recipe = "section"\ntemplate = "{text!r}"', "", ["template"]),
        ('recipe = "section"\ntemplate = "{text:>99999999}"', "", ["template"]),
        ('recipe = "section"\ntemplate = "{text"', "", ["template"]),
        ('strip_prefix = "{nonsense}"', "", ["strip_prefix", "{title}"]),
        ('query = "SELECT 1"', "", ["query", "json"]),
        ('command = ["x"]', "", ["command", "json"]),
        ('path = ""', "path", ["path"]),
        ('name = "../x"', "name", ["name"]),
        ('document = "ca-on/statute/../x@en"', "document", ["document", "06r17@en"]),
        ("document = { felid = 'x' }", "document", ["document", "field"]),
        ("document = { field = '' }", "document", ["document"]),
        ("document = 6", "document", ["document", "text in quotes"]),
        ("fields = { text = 5 }", "fields", ["fields.text"]),
        ("fields = 'text'", "fields", ["fields", "table"]),
    ],
)
def test_bad_corpus_value_says_key_got_and_expected(tmp_path, line, without, words):
    """Types, ranges and grammars are checked; the message has file, corpus, key and expectation."""
    error = refused(tmp_path, with_corpus(line, without=without))

    assert "corpusguard.toml" in error.message
    for word in words:
        assert word in error.message


@pytest.mark.parametrize(("value", "seconds"), [("90m", 5_400), ("36h", 129_600), ("2d", 172_800)])
def test_max_age_units(tmp_path, value, seconds):
    """Minutes, hours and days."""
    config = load_config(write(tmp_path, with_corpus(f'max_age = "{value}"')))

    assert config.corpora[0].max_age_seconds == seconds


def test_prefix_may_name_the_law_and_the_row(tmp_path):
    """Labels seen in real stores ("{citation} ({title}), s. {section}") can be declared."""
    label = "{citation} ({title}), s. {section}{subsection}: {heading} [{id}, {code}]"
    config = load_config(write(tmp_path, with_corpus(f'strip_prefix = "{label}"')))

    assert config.corpora[0].strip_prefix == label


def test_native_date_and_document_field(tmp_path):
    """A TOML date works for as_of; a field may hold the document."""
    main = with_corpus(
        'as_of = 2024-12-04\ndocument = { field = "metadata.doc" }', without="document"
    )
    corpus = load_config(write(tmp_path, main)).corpora[0]

    assert corpus.as_of == "2024-12-04"
    assert (corpus.document, corpus.document_field) == ("", "metadata.doc")


@pytest.mark.parametrize(
    "url",
    [
        "http://www.ontario.ca",
        "https://www.ontario.ca.evil.example",
        "https://evil.example",
        "https://user@www.ontario.ca",
        "https://www.ontario.ca@evil.example",
        "https://www.ontario.ca:8443",
        "https://www.ontario.ca?x=1",
        "https://www.ontario.ca#x",
        "https://www.ontario.ca/../x",
        "https://127.0.0.1:80",
        "http://127.0.0.1.evil.example",
        "http://2130706433",
        "http://10.0.0.1",
        "http://[::2]",
        "http://127.0.0.1:99999",
        "http://[::1",
        "file:///etc/passwd",
        "www.ontario.ca",
        "https://www.ontario.ca\\\\@evil.example",
        "https://ww\u0456.ontario.ca",
    ],
)
def test_base_url_off_the_list_is_refused(tmp_path, url):
    """Only https on the publisher's hosts, or http on a loopback address."""
    error = refused(tmp_path, source=with_source("https://www.ontario.ca", url))

    assert "base_url" in error.message
    assert "https on www.ontario.ca" in error.message


@pytest.mark.parametrize(
    "url",
    [
        "https://ontario.ca",
        "https://www.ontario.ca:443",
        "http://127.0.0.1:8123",
        "http://localhost:9/mirror",
        "http://[::1]:8080",
    ],
)
def test_base_url_on_the_list_is_taken_without_trailing_slash(tmp_path, url):
    """The official hosts, and mirrors of one's own."""
    source = with_source("https://www.ontario.ca", url + "/")

    assert load_config(write(tmp_path, source=source)).sources[0].base_url == url


def test_only_a_mirror_of_ones_own_may_be_hurried(tmp_path):
    """No delay is fine on a loopback address and refused on the publisher's server."""
    hurried = with_source("min_delay_seconds = 1.0", "min_delay_seconds = 0")
    error = refused(tmp_path, source=hurried)
    local = hurried.replace("https://www.ontario.ca", "http://127.0.0.1:8123")

    assert "min_delay_seconds: got 0" in error.message
    assert load_config(write(tmp_path, source=local)).sources[0].min_delay_seconds == 0


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("min_delay_seconds = nan", "min_delay_seconds"),
        ("min_delay_seconds = true", "min_delay_seconds"),
        ("min_delay_seconds = '1'", "min_delay_seconds"),
        ("attempts = 0", "attempts"),
        ("attempts = 2.5", "attempts"),
        ("attempts = true", "attempts"),
        ("max_wire_bytes = -1", "max_wire_bytes"),
        ("hosts = 'www.ontario.ca'", "hosts"),
        ("hosts = ['https://www.ontario.ca']", "hosts"),
        ("hosts = ['']", "hosts"),
        ("paths = { fr = '//evil.example/x' }", "paths.fr"),
        ("paths = { fr = '/laws/../../x' }", "paths.fr"),
        ("paths = { fr = 'https://evil.example' }", "paths.fr"),
        ('user_agent_contact = "a\\nX-Evil: 1"', "user_agent_contact"),
        ("publisher = 'ontario-elaw'", "publisher"),
    ],
)
def test_bad_source_value_is_refused(tmp_path, line, word):
    """Every limit has a type and a range; nothing may lead off the publisher's hosts."""
    key = line.split(" =")[0]
    kept = "".join(
        text for text in SOURCE.splitlines(keepends=True) if not text.startswith(key)
    ).replace("[source]\n", f"[source]\n{line}\n")

    assert word in refused(tmp_path, source=kept).message


@pytest.mark.parametrize(
    "document",
    [
        "06r17",
        "ca-on/statute/06R17@en",
        "ca-on/act/06r17@en",
        "ca-on/statute/06r17@de",
        "ca-on/statute/a/b@en",
    ],
)
def test_document_id_grammar(tmp_path, document):
    """Ids follow ca-on/(statute|regulation)/…@(en|fr)."""
    source = with_source("ca-on/statute/06r17@en", document)

    assert "id: got" in refused(tmp_path, source=source).message


def test_corpus_of_an_unlisted_document_names_the_nearest(tmp_path):
    """A document that no source lists would never be checked."""
    error = refused(tmp_path, MAIN.replace("06r17@en", "06r71@en"))

    assert "is in no source" in error.message
    assert "06r17@en" in error.hint


def test_names_used_twice_are_refused(tmp_path):
    """Two corpora of one name, and one document listed twice, cannot be told apart."""
    corpus = MAIN[MAIN.index("[[corpus]]") :]
    document = SOURCE[SOURCE.index("[[document]]") :]

    assert "two corpora" in refused(tmp_path, MAIN + corpus).message
    assert "each document once" in refused(tmp_path, source=SOURCE + document).message
    doubled = MAIN.replace('["sources/s.toml"]', '["sources/s.toml", "sources/s.toml"]')
    assert "is listed in" in refused(tmp_path, doubled).message


def test_environment_only_where_documented(tmp_path, monkeypatch):
    """`${NAME}` is replaced in command and contact, refused elsewhere, and an error when unset."""
    monkeypatch.setenv("CG_TOKEN", "s3cret")
    monkeypatch.delenv("CG_ABSENT", raising=False)
    command = (
        '[corpusguard]\nsources = ["sources/s.toml"]\n[[corpus]]\nname = "x"\nreader = "exec"\n'
        'command = ["dump", "--token=${CG_TOKEN}", "$HOME"]\n'
    )
    contact = with_source("min_delay", 'user_agent_contact = "${CG_TOKEN}@example.org"\nmin_delay')

    config = load_config(write(tmp_path, command, contact))

    assert config.corpora[0].command == ("dump", "--token=s3cret", "$HOME")
    assert config.sources[0].user_agent_contact == "s3cret@example.org"
    unset = refused(tmp_path, command.replace("CG_TOKEN", "CG_ABSENT"))
    assert "CG_ABSENT is not set" in unset.message
    elsewhere = refused(tmp_path, MAIN.replace("chunks.json", "${CG_TOKEN}.json"))
    assert "no ${…} here" in elsewhere.message
    assert "NAME" in refused(tmp_path, command.replace("${CG_TOKEN}", "${a b}")).message


def test_secret_is_never_in_a_message(tmp_path, monkeypatch):
    """A refused value that came from the environment is not shown."""
    monkeypatch.setenv("CG_TOKEN", "s3cr\u00e9t")
    contact = with_source("min_delay", 'user_agent_contact = "${CG_TOKEN}"\nmin_delay')
    beside = with_corpus('command = ["${CG_TOKEN}"]')

    assert "s3cr" not in refused(tmp_path, source=contact).message
    assert "s3cr" not in refused(tmp_path, beside).message


def test_broken_files(tmp_path):
    """Absent, oversized, non-UTF-8, non-TOML and hostile files are configuration errors."""
    with pytest.raises(ConfigError, match="no such file"):
        load_config(tmp_path / "corpusguard.toml")
    file = write(tmp_path)
    for data, word in [
        (b"\xff", "not UTF-8"),
        (b"[corpusguard", "not TOML"),
        (b"x = " + b"[" * 100_000, "not TOML"),
        (b"#" * 1_000_001, "more than"),
        (b"", r"\[corpusguard\] is missing"),
        (b"[corpusguard]\n", "sources"),
        (b"corpusguard = 3\n", "not a table"),
        (
            b'[corpusguard]\nsources = ["sources/s.toml"]\n[corpus]\n',
            r"tables written as \[\[corpus",
        ),
    ]:
        file.write_bytes(data)
        with pytest.raises(ConfigError, match=word):
            load_config(file)


def test_byte_order_mark_is_no_error(tmp_path):
    """An editor's byte-order mark does not break the first line."""
    file = write(tmp_path)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())

    assert load_config(file).corpora[0].name == "tenancy"


def test_missing_source_and_missing_document_list(tmp_path):
    """A source that is not there, or lists nothing, is an error, not an empty scope."""
    absent = refused(tmp_path, MAIN.replace("s.toml", "absent.toml"))
    empty = refused(tmp_path, source=SOURCE[: SOURCE.index("[[document]]")])

    assert "absent.toml: no such file" in absent.message
    assert "no document is listed" in empty.message


def test_control_characters_and_overlong_values(tmp_path):
    """Values are text that a person can read."""
    assert (
        "control characters"
        in refused(tmp_path, with_corpus('rows = "a\\u0000b"', without="rows")).message
    )
    assert "at most" in refused(tmp_path, with_corpus(f'strip_prefix = "{"x" * 20_001}"')).message


def test_address_templates_may_list_candidates(tmp_path):
    """A template may hold several paths, one space between, each on the publisher's host."""
    line = '[source.paths]\n"word.fr" = "/laws/docs/{file}_f.docx /laws/docs/{file}_f.doc"\n'
    config = load_config(
        write(tmp_path, source=SOURCE.replace("[[document]]", line + "[[document]]"))
    )

    assert config.sources[0].paths["word.fr"].endswith(" /laws/docs/{file}_f.doc")
    off_host = line.replace(" /laws", " //evil.example")
    assert (
        "paths.word.fr"
        in refused(
            tmp_path, source=SOURCE.replace("[[document]]", off_host + "[[document]]")
        ).message
    )


@pytest.mark.parametrize("name", ["ontario-elaws", "sample"])
def test_source_files_of_the_project_load(tmp_path, name):
    """The sources that the project ships are valid."""
    shipped = Path(__file__).parents[3] / "sources" / f"{name}.toml"
    main = MAIN[: MAIN.index("[[corpus]]")]

    source = load_config(write(tmp_path, main, shipped.read_text(encoding="utf-8"))).sources[0]

    assert source.documents
    assert source.licence

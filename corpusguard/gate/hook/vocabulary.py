"""The words of instructions about work: code, documents, style, tools.

A closed list: what a text says in other words is not known here, and so may be a statement. Words
of the matter itself (law, persons, places, money) and words that decide something ("free", "void",
"none") are therefore not in it, on purpose.
"""

from __future__ import annotations

from typing import Final

VERBS: Final = frozenset(
    "add address adopt align annotate answer append apply archive arrange ask attach automate avoid "
    "back backup batch begin benchmark book break bring browse build bump cache call capitalise "
    "capitalize catch change check checkout choose cite clarify clean clear clone close code collect "
    "combine comment commit compare compile compress configure confirm consider consult contact "
    "continue convert copy correct create debug declare default define delegate delete deploy "
    "describe design discuss distinguish do document double-check download draft edit email embed "
    "enable encrypt end enforce ensure escape estimate examine exclude execute explain export expose "
    "extend extract favor favour fetch fill filter find finish fix flag focus fold follow forget "
    "format generate get give go group guard guess handle help hide highlight ignore implement "
    "import improve include indent initialise initialize inline insert inspect install investigate "
    "invite isolate join keep label leave let lint limit link list load localise localize log look "
    "lowercase maintain make manage mark measure mention merge migrate minimise minimize mirror mock "
    "monitor move name normalise normalize note number omit open optimise optimize order organise "
    "organize outline overwrite parse paste pause phone pick pin ping place plan polish post prefer "
    "prefix prepare preserve print prioritise prioritize profile proofread propose prune publish pull "
    "push put query quote raise read reason rebase recheck record reduce refactor refer reference "
    "reformat reject release reload remember remind remove rename render reorder repeat rephrase "
    "replace reply report reproduce request rerun research reset resolve respect respond restart "
    "restore restructure retry return reuse reverse revert review revise rewrite rotate round run "
    "save say scan schedule scope search see seed select send separate set share ship shorten show "
    "simplify skip snapshot solve sort spell split squash stage start state stay stick stop store "
    "strip structure style suggest summarise summarize support swallow swap switch sync tag talk "
    "target tell test think throw tidy track translate trim try turn type unify uninstall update "
    "upgrade use validate verify view visit wait walk warn watch work wrap write".split()
)
"""Base forms; with one of these an instruction begins."""

TELLING: Final = frozenset(
    "answer call clarify confirm declare explain guess mark mention note propose quote remember remind "
    "reply report respond say show state suggest support tell think warn write".split()
)
"""Verbs whose object may be a statement: "tell Ann the office moved"."""

NOUNS: Final = frozenset(
    "abbreviation acronym action adr agent alias alphabet analysis annotation answer api app appendix "
    "approach architecture archive argument array article assertion assistant attachment audit author "
    "axis backend background backlog backtick backup bar base bash basic baseline batch benchmark "
    "binary blank block board body bold boolean bootstrap bracket branch browser brace bug build bullet "
    "button byte cache call caption case cell change changelog channel chapter character chart "
    "chat check checkbox checklist checkout chunk citation class cleanup cli client code codebase coding "
    "colleague colon color colour column comma command comment commit comparison compiler component "
    "composition conclusion config configuration conflict console constant constructor container "
    "content context contraction contribution contributor convention conversation copy core coverage "
    "credential css csv customer dash dashboard data database dataset date debug debugger decision "
    "decorator default definition demo dependency deployment design detail dev developer diagram dialog "
    "diff difference directory discussion docker docs docstring document documentation domain download "
    "draft driver duplicate dump edge edit editor effort element email emoji end endpoint english entry "
    "enum environment epic error escape example exception execution exercise expectation experiment "
    "explanation export expression extension fact failure fallback feature feedback field figure file "
    "filename filter fix fixture flag folder font footer footnote form format formatter formatting "
    "framework frontend function functionality gap generator glossary goal grammar guard guide guideline "
    "guidance handler hash header heading headline helper hint history hook host html icon id idea "
    "identifier image imperative implementation import improvement indentation index info inheritance "
    "init input instruction integration interface introduction issue item jargon job json key "
    "keyword label language layer layout length letter level library line link lint linter list literal "
    "locale log logger logging logic login loop machine mail main maintenance manager map mark "
    "markdown margin master match meeting memory menu merge message metadata method migration mock "
    "mode model module mood motivation name namespace naming network newline note notebook notification "
    "number object objective operation operator option order organisation organization outline output "
    "overview package page paragraph parameter parent parenthesis parser part password patch path "
    "pattern person phase phrase pipeline placeholder plan platform plugin point policy port pr practice "
    "preamble preference prefix preview principle print problem procedure process profile program "
    "progress project prompt property proposal prose prototype public pull punctuation purpose push "
    "python query question queue quotation quote rationale readme reason reasoning recap record "
    "refactor refactoring reference regex release reminder remote rename report repo repository request "
    "requirement research resource response result retry return review reviewer roadmap role "
    "root routine row rule run runtime sample sandbox schema scope screen screenshot script search "
    "secret section sentence sequence server service session setting setup shell sheet shortcut side "
    "sidebar size sketch skill slide snippet solution source space spacing spec specification spelling "
    "spreadsheet sprint sql stack stage staging standard start state statement step storage story "
    "strategy string structure style stylesheet subheading subject subtask suffix suggestion summary "
    "support syntax system tab table tag target task team template term terminal terminology test "
    "testing text theme thing thread ticket time timeline tip title todo token tone tool toolchain tooling "
    "topic trace tradeoff translation tree trigger troubleshooting type typo ui underscore unit update "
    "upgrade url usage use user utility validation value variable vendor version view voice warning "
    "website whitespace widget width wiki word wording workaround worker workflow workspace wrapper "
    "writing xml yaml".split()
)
"""Singular; the plurals are made below. Where one is also a verb form ("tests"), it is taken for the
noun."""

QUALITIES: Final = frozenset(
    "abstract absolute accurate actionable active actual additional alphabetical alphabetically "
    "american asynchronous automated automatic automatically basic best better big bold brief briefly "
    "british broad broken camel canadian careful carefully cautious central clean clear clearly close "
    "closely common compact complete complex concise concisely concrete consistent consistently "
    "correct correctly critical current custom daily dark dead deep defensive deprecated descriptive "
    "detailed different direct directly double dry dynamic early easy empty european exact exactly "
    "existing explicit explicitly external fast few final flat focused formal formally frequently "
    "friendly full fully functional future general generated generic gently global good gradually "
    "helpful hidden high horizontal human idiomatic immediately important incremental independent "
    "individual initial inline internal italic kebab key large late latest lean light local long "
    "low lower lowercase manual manually meaningful medium minimal minor missing modern modular "
    "multiple mutable mutually nested neutral new next nice numbered old open optional-free "
    "original other overall parallel partial pascal passive patient personal plain plainly polite "
    "politely precise precisely preferred previous primary private professional proper properly "
    "pure quick quickly quiet raw readable real recent reasonable regular related relative relevant "
    "reusable rough round safe same secondary self separate separately serial shared short shorter "
    "silent silently similar simple simply single slow slowly small smaller snake snappy soft solid "
    "specific specialised specialized stable standalone static strict strictly strong structured "
    "succinct sure technical temporary terse thorough thoroughly tidy tiny top trailing "
    "typed unclear unfamiliar unfinished unique unknown unnecessary unrelated unsure unused untested "
    "upper uppercase usual vague verbose verbatim vertical virtual visible visual wide wrong".split()
) - {"optional-free", "wrong"}

TOOLS: Final = frozenset(
    "ansible apt asyncio aws azure bandit bash bazel biome black brew bun bundle c cargo circleci clang "
    "claude clippy cmake codex composer conda copilot cp cpp css curl cursor cypress deno django docker "
    "dotnet dvc eslint express fastapi figma fish flake8 flask gcc gemini gh git github gitlab go "
    "golang gradle grafana graphql grep groovy gunicorn helm html htmx http https husky hypothesis isort "
    "java javascript jest jinja jira jq js jsdoc jsx jupyter just kotlin kubectl kubernetes latex linux "
    "lua macos make makefile markdown mathjax maven mermaid mypy mysql neovim next ninja nix node nox npm "
    "npx numpy nvim openapi pandas pandoc perl php pip pipenv playwright pnpm poetry polars postgres "
    "postgresql powershell prettier prometheus pyproject pyright pytest python pytorch r rails react redis "
    "requirements rest ripgrep rspec ruby ruff rust rustfmt scala scss selenium sh shellcheck slack "
    "solid sphinx sql sqlalchemy sqlite svelte swift swc tailwind terraform toml tox ts tsc tsx turbo "
    "typer typescript ubuntu unix uv vercel vi vim vite vitest vscode vue webpack windows wsl xcode yaml "
    "yarn zig zod zsh".split()
)
LANGUAGES: Final = frozenset(
    "arabic chinese danish dutch english finnish french german greek hebrew hindi italian japanese "
    "korean latin norwegian polish portuguese russian spanish swedish turkish ukrainian".split()
)
DETERMINERS: Final = frozenset(
    "a an the my your our its their his her this that these those each every all any some both "
    "either another such no more most less fewer enough several many much what which whatever "
    "whichever".split()
)
PREPOSITIONS: Final = frozenset(
    "about above across after against along among around at before behind below beside besides "
    "between beyond by despite down during except for from in inside instead into like near of off on "
    "onto out outside over per regarding than through throughout to toward towards under "
    "underneath until up upon using via versus vs with within without as".split()
)
PRONOUNS: Final = frozenset(
    "i me you we us it they them he him she one ones myself yourself itself themselves "
    "something anything everything someone anyone else mine yours ours".split()
)
ADVERBS: Final = frozenset(
    "again ahead already also alone always altogether anyway apart aside away back both case else "
    "elsewhere even ever everywhere explicitly if far first finally here how ideally instead just last "
    "later least likewise maybe mostly never not now often once only otherwise perhaps please possible "
    "rather regularly second soon still there thereafter though together too twice unless usually "
    "very well when where whether whenever wherever why yet step up-to-date etc".split()
) - {"twice", "why"}
TOPICS: Final = frozenset(
    "act acts appeal appeals contract contracts court courts deposit deposits fee fees law laws lease "
    "leases legislation licence licences license licenses notice notices penalties provision "
    "provisions regulation regulations rent rents statute statutes tax taxes tenancy tenancies".split()
)
"""What a heading may name besides."""
OFTEN_VERBS: Final = frozenset("close ship stay go work".split())
"""Words of the lists above that other people's sentences turn on ("stalls close", "boats stay")."""


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith("sis"):
        return f"{noun[:-2]}es"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh", "ss")) else f"{noun}s"


def _gerunds(verb: str) -> set[str]:
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    return {f"{stem}ing", f"{stem}{stem[-1]}ing"}


NAMES: Final = (
    NOUNS | {_plural(noun) for noun in NOUNS} | TOOLS | LANGUAGES
    | {form for verb in VERBS for form in _gerunds(verb)}
)  # fmt: skip
"""What may stand for a thing: nouns in both numbers, tools, languages, gerunds."""
KNOWN: Final = (
    NAMES | QUALITIES | DETERMINERS | PREPOSITIONS | PRONOUNS | ADVERBS
) - OFTEN_VERBS  # fmt: skip
"""What can stand anywhere in an instruction without making a statement of it."""

IN_CLAUSES: Final = (
    KNOWN | VERBS
    | frozenset("am is are be been being has have had was were can could may might should would need "
                "needs want wants ask asks asked pass passes passed fail fails failed exist exists "
                "change changes changed commit committed merge merged push pushed edit edited write "
                "written start started finish finished make made done touch touched add added appear "
                "apply possible necessary unsure doubt blocked stuck sure requested "
                "told otherwise agree agrees say says approve approves approved compile compiles "
                "break breaks broken decide understand know happen happens".split())
)  # fmt: skip
"""What a condition of an instruction ("when something is unclear") may hold besides."""

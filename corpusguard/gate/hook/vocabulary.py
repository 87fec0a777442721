"""The words of instructions about work: code, documents, style, tools.

A closed list: what a text says in other words is not known here, and so may be a statement. Words
of the matter itself (law, persons, places, money) and words that decide something ("free", "void",
"none") are therefore not in it, on purpose.
"""

from __future__ import annotations

from typing import Final

VERBS: Final = frozenset(
    "acknowledge adapt add address adjust adopt aggregate align allocate alphabetise "
    "alphabetize amend analyse analyze annotate anonymise answer append apply approve archive "
    "arrange ask assert assess assign attach audit automate avoid await back backport backup "
    "balance batch begin benchmark bind book bootstrap box brainstorm break bring browse "
    "build bump bundle cache calculate calibrate call cancel capitalise capitalize catch "
    "centralise centralize chain change check checkout cherry-pick choose chunk cite clarify "
    "clean clear clone close cluster coach code collect combine comment commit compare "
    "compile compose compress compute condense configure confirm connect consider consolidate "
    "consult contact continue contrast contribute convert copy correct count couple cover "
    "create credit cross-check customise customize date debounce debug declare decode "
    "decouple deduce deduplicate default defer define delay delegate delete demonstrate "
    "deploy deprecate derive describe design destructure detail detect develop diff disable "
    "disclose discuss display distinguish divide do document double-check download draft drop "
    "duplicate edit elaborate eliminate email embed emit emphasise emphasize employ enable "
    "encapsulate encode encrypt end enforce ensure enumerate err escape estimate evaluate "
    "examine exclude execute expand experiment explain export expose extend extract "
    "fact-check factor fail favor favour fetch fill filter find fine-tune finish fix flag "
    "flatten focus fold follow force force-push forget fork format formulate freeze gather "
    "generate get give go grep group guard guess handle hard-code hardcode hash help hide "
    "highlight hyphenate identify ignore illustrate implement import improve include indent "
    "infer inherit initialise initialize inject inline insert inspect install instrument "
    "interpret introduce invent investigate invite invoke isolate iterate join justify keep "
    "label lazy-load leave let limit link lint list load localise localize lock log look "
    "lowercase maintain make manage map mark match measure memoise mention merge migrate mind "
    "minify minimise minimize mirror mock modify monitor move name navigate nest normalise "
    "normalize note notify nudge number observe offer omit open opt optimise optimize order "
    "organise organize outline override overwrite pad paginate pair parallelise parallelize "
    "parametrise parametrize paraphrase parse partition pass paste patch pause peer-review "
    "perform persist phone pick pin ping pipe place plan plot polish populate port post "
    "practise prefer prefetch prefix preload prepare prepend preserve preview print "
    "prioritise prioritize probe proceed process produce profile proofread propose protect "
    "prototype provide prune publish pull punctuate push put quantify query question quit "
    "quote raise rank rationalise re-read re-run read reason rebase rebuild recap recommend "
    "reconsider record recover redact redirect redo reduce refactor refer reference reformat "
    "refresh regenerate register reindex reinstall reject relate release reload rely remember "
    "remind remove rename render reorder reorganise reorganize repair repeat rephrase replace "
    "reply report reproduce request rerun research reset resist resize resolve respect "
    "respond restart restate restore restructure resume retain retest rethink retry return "
    "reuse reverse revert review revise revisit rewrite rotate round route run salt sample "
    "sanitise sanitize save say scaffold scan schedule scope search see seed segment select "
    "send separate serialise serialize set shadow share ship shorten show sign simplify "
    "simulate single-source sketch skip snapshot solve sort source spawn speak specialise "
    "specify spell spell-check split square squash stack stage standardise standardize start "
    "stash state stay stick stop store strengthen stress strip strive structure stub style "
    "submit substitute subtract suggest summarise summarize supply support survey swallow "
    "swap switch sync synchronise tag tail talk target tell test think throttle throw tidy "
    "toggle tolerate touch trace track train transform translate treat triage trigger trim "
    "truncate try tune turn type uncomment understand undo unify uninstall unit-test unpack "
    "update upgrade upload uppercase use validate vary verify vet view visit visualise "
    "visualize wait walk warn watch weigh whitelist work wrap write yield zip".split()
)
"""Base forms; with one of these an instruction begins."""

TELLING: Final = frozenset(
    "answer call clarify confirm declare explain guess mark mention note propose quote "
    "remember remind reply report respond say show state suggest support tell think warn "
    "write".split()
)
"""Verbs whose object may be a statement: "tell Ann the office moved"."""

NOUNS: Final = frozenset(
    "abbreviation accessibility accuracy acronym action activity adr advice agent algorithm alias "
    "allowlist alphabet ambiguity amount analogy analysis anchor annotation answer api app "
    "appendix approach architect architecture archive argument array article aspect assertion "
    "assistance assistant assumption async attachment attempt attention attribute audit author "
    "availability await axis backend background backlog backtick backup bar base baseline bash "
    "basic batch behavior behaviour benchmark bias binary bit blank block board body bold "
    "bookmark boolean bootstrap boundary brace bracket branch breakdown breakpoint brevity "
    "browser bug build bullet button byte cache call callback callout camelcase canvas capital "
    "capitalisation capitalization captcha caption case category cause caveat cell change "
    "changelog channel chapter character chart chat check checkbox checklist checkout checkpoint "
    "choice chore chunk circle citation claim clarity class cleanup cli client closure cloud "
    "cluster code codebase coding collaborator colleague collection colon color colour column "
    "combination comma command comment commentary commit comparison compatibility compiler "
    "completion complexity component composition computer concept concern conclusion condition "
    "config configuration confirmation conflict consistency console constant constraint construct "
    "constructor consumer container content context contraction contribution contributor "
    "convenience convention conversation cookie copy core corner correction correctness counter "
    "coverage crash creation credential cron css csv curly cursor customer cycle dash dashboard "
    "data database dataset date debt debug debugger decimal decision deck declaration decorator "
    "default definition deletion delimiter delivery demo dependency deployment description design "
    "desktop destination detail dev developer development diagnostic diagram dialog dictionary "
    "diff difference dimension directory disclaimer discovery discussion disk display distinction "
    "doc docker docstring document documentation domain dot download draft driver dropdown dump "
    "duplicate duplication edge edit editor effort element email emoji emphasis end endpoint "
    "engine engineer enhancement entry enum environment epic equation error escalation escape "
    "estimate evaluation event evidence example exception execution exercise expectation "
    "experiment expert explanation exploration export expression extension fact factory failure "
    "fallback family fault favicon feature feedback field figure file filename filler filter "
    "finding fingerprint fix fixture flag flavour flow focus folder font footer footnote form "
    "format formatter formatting formula fragment framework friend frontend function "
    "functionality gap gateway gem generator getter gist glossary goal grammar greeting grid "
    "guard guess guidance guide guideline hack handler handling hardware hash header heading "
    "headline heap helper hierarchy hint history hook host hotfix html hygiene hyphen icon id "
    "idea identifier image imperative implementation import improvement indentation index "
    "indicator info inheritance init input insight inspection installation instance instruction "
    "integration intent interface intro introduction invariant iso issue item iteration jargon "
    "job json kernel key keybinding keyboard keyword knowledge label lambda language laptop "
    "latency layer layout learning length lesson letter level lexer library limitation line link "
    "lint linter list literal loader locale location lockfile log logger logging logic login logo "
    "lookup loop machine macro mail main maintenance manager map mapping margin mark marker "
    "markup master match math matrix measure measurement mechanism meeting member memory menu "
    "merge message metadata method metric microservice middleware migration milestone mind misc "
    "mistake mixin mnemonic mock modal mode model module monorepo mood motivation mutation name "
    "namespace naming nesting network newline nit node notation note notebook notification nuance "
    "number object objective oneliner opener operand operation operator opinion optimisation "
    "optimization option order organisation organization origin outline output overhead override "
    "overview package page pair palette paragraph parameter parent parenthesis parity parser "
    "parsing part partner party password patch path pattern peer performance person persona phase "
    "phrase pictogram pipeline pixel placeholder plan platform plugin point pointer policy popup "
    "port position postcondition pr practice preamble precision precondition predicate preference "
    "prefix presentation preset preview primitive principle print priority privacy problem "
    "procedure process product production profile program programmer programming progress project "
    "prompt property proposal prose protocol prototype provider proxy public publication pull "
    "punctuation purpose push python quality query question queue quirk quotation quote range "
    "rank ratio rationale readability reader readme reason reasoning recap recipe recommendation "
    "record recursion redirect redundancy refactor refactoring reference regex region registry "
    "regression relation relationship release reliability reminder remote rename renderer "
    "replacement repo report repository request requester requirement research resolution "
    "resource response responsibility restriction result retry return review reviewer revision "
    "rewrite risk roadmap robot role rollback rollout root roundtrip route routine row rule "
    "run runtime safety sample sandbox sanity saving scaling scenario scheduler schema scope "
    "scratch screen screenshot script search secret section security seed segment selector "
    "self semantic sense sentence sequence serialisation serialization serializer server service "
    "session setter setting setup sheet shell shortcut sibling side sidebar sidecar signal "
    "signature simplicity singleton size skeleton sketch skill slash slide slug smoke snippet "
    "socket software solution source space spacing spec specification spellchecker spelling spike "
    "split spreadsheet sprint sql squash stack stacktrace stage staging stakeholder stand-up "
    "standard start stash state statement statistic status stderr stdin stdout step storage story "
    "strategy stream string structure stub style stylesheet subagent subclass subfolder "
    "subheading subject subset subtask subtitle suffix suggestion suite summary superclass "
    "support surface switch symbol sync synonym syntax system tab table tag tagline target task "
    "taxonomy team technique technology telemetry template tense term terminal terminology test "
    "testing text theme thing third thread threshold ticket time timeline timeout timestamp "
    "timezone timing tip title todo toggle token tone tool toolchain tooling tooltip topic trace "
    "traceback trade-off tradeoff traffic transaction transcript transition translation tree "
    "trial trigger troubleshooting tuple tutorial type typo ui uncertainty underscore union "
    "unit update upgrade uppercase upstream url usage use user util utility utterance "
    "validation validator value variable vendor verb verbosity verification version versioning "
    "video view viewport visibility voice volume walkthrough warning watcher webhook website "
    "weight whitespace widget width wiki wildcard window wish word wording workaround worker "
    "workflow workload workspace worktree wrapper writer writeup writing xml yaml zone".split()
)
"""Singular; the plurals are made below. One that is also a verb form ("tests") is taken for the
noun."""

QUALITIES: Final = frozenset(
    "absolute abstract accurate actionable active actual additional adequate advanced affected "
    "alphabetical alphabetically ambiguous american applicable appropriate ascending asynchronous "
    "atomic automated automatic automatically backward balanced basic best better big blank bold "
    "boring brief briefly british broad broken built-in bulleted camel canadian capable careful "
    "carefully casual cautious central certain changed chronological clean clear clearly clever "
    "close closely collapsed colloquial commented commented-out committed common compact "
    "compatible complete complex composable comprehensive concise concisely concrete conditional "
    "confident confidential consistent consistently constant contextual contiguous convenient "
    "conventional correct correctly critical cross-platform cumulative curious current custom "
    "daily dark dead dedicated deep default defensive deprecated descending descriptive "
    "destructive detailed deterministic different digital direct directly distinct double dry "
    "duplicate dynamic eager early easier easy elegant empirical empty end-to-end entire "
    "equivalent established european exact exactly exhaustive existing experimental explicit "
    "explicitly expressive external extra factual failing familiar fast faster few final flaky "
    "flat fluent focused foreign formal formally forthcoming forward frequent frequently friendly "
    "full fully functional future general generated generic gentle gently global good gradually "
    "grammatical graphical greater green half-open hard-coded heavy helpful hidden high "
    "high-level honest horizontal human human-readable idempotent identical idiomatic immediate "
    "immediately immutable impersonal implicit important in-depth in-place inclusive incomplete "
    "inconsistent incorrect incremental indented independent individual informal initial inline "
    "inspired installed intentional interactive intermediate internal intuitive invisible "
    "irrelevant italic joint kebab key kind large late latest lazy leading lean less level light "
    "lightweight likely linear listed literal local locked logical long long-running longest "
    "lossless low low-level lower lowercase machine-readable main major manual manually "
    "mathematical mature max maximal meaningful medium min minimal minor missing mixed mocked "
    "modern modular more multiple mutable mutually named narrow native natural nearby neat "
    "necessary negative nested neutral new next nice noisy nonexistent normal notable null "
    "numbered numeric objective obvious occasional offline old one-line online open "
    "opinionated ordinary organised organized original other outermost overall own painful "
    "parallel parameterised parameterized partial pascal passing passive patient pending "
    "persistent personal pinned plain plainly polite politely portable positive post potential "
    "practical pragmatic precise precisely predictable preferred preliminary previous primary "
    "private proactive professional prominent proper properly proven pure purely qualified "
    "quick quickly quiet quoted random rare raw read-only readable real realistic reasonable "
    "recent red redundant regular related relative relevant reliable remaining renamed "
    "reproducible respectful responsive resulting reusable reviewed rigorous risky robust "
    "rough round safe same scalable scoped secondary self semantic sensible sensitive separate "
    "separately sequential serial severe shallow shared sharp short shorter significant silent "
    "silently similar simple simply single sized skeptical slow slowly small smaller smallest "
    "smart snake snappy soft sole solid sophisticated sorted spare sparse specialised "
    "specialized specific speculative stable staged standalone static steady step-by-step "
    "straightforward strict strictly strong structured stylistic subtle succinct sufficient "
    "suitable sure surrounding synchronous tabular tagged targeted technical temporary terse "
    "tested third-party thorough thoroughly tidy tight tiny top top-level total traceable "
    "trailing transparent trivial truthful typed typical typographic unambiguous uncertain "
    "unchanged unclear uncommon undocumented unexpected unfamiliar unfinished unhandled "
    "uniform unique universal unknown unnecessary unrecognised unrelated unreliable unsafe "
    "unsupported unsure untested unused unverified up-to-date upcoming updated upper uppercase "
    "upstream used useful user-facing user-visible usual vague verbatim verbose verified "
    "versioned vertical virtual visible visual whole wide wordy write-only written yellow".split()
)

TOOLS: Final = frozenset(
    "a11y ai airflow alembic amd64 ansible apt arm64 ascii astro asyncio aws axios azure "
    "babel bandit bash bazel bigquery biome black brew bun bundle c cargo cd celery chatgpt "
    "chrome chromium ci circleci clang claude clippy cmake codex commonjs composer conda "
    "copilot cp cpp crlf css curl cursor cypress cython dagster dart databricks dbt deepl deno "
    "django docker dotnet dvc elasticsearch electron elixir emacs erlang es eslint excel express "
    "fastapi fastify figma firebase firefox flake8 flask flutter fzf gcc gdb gemini gh git "
    "github gitlab gnu go golang gpt gradle grafana graphql grep groovy gunicorn haskell helm "
    "heroku html htmx http https hugo husky hypothesis i18n icu intellij ipython iso8601 "
    "isort java javascript jenkins jest jetbrains jinja jira jpeg jq js jsdoc json5 jsx "
    "jupyter kafka keras kotlin kubectl kubernetes l10n langchain latex lefthook lerna less "
    "lf linux llm lodash loguru lua macos make makefile markdown mathjax maven mercurial "
    "mermaid mkdocs mongo mongodb msbuild mypy mysql nano neovim netlify nginx ninja nix node "
    "notion nox npm npx numpy nuxt nvim obsidian ollama openai openapi os outlook pandas "
    "pandoc pathlib pdf pdm perl pgvector photoshop php phpunit pip pipenv pixi playwright "
    "png pnpm podman poetry polars postgres postgresql powerpoint powershell prettier prisma "
    "prometheus pydantic pylint pyproject pyright pytest python pytorch qt r rabbitmq rails "
    "rake react redis redux requirements rest ripgrep rollup rspec rubocop ruby ruff rust "
    "rustfmt safari scala scikit-learn scipy scss selenium sentry sh shellcheck slack sphinx "
    "sql sqlalchemy sqlite starlette stdlib storybook structlog supabase svelte svg swagger "
    "swc swift tailwind terraform tmux toml tox trello trino ts tsc tsv tsx turbo typer "
    "typescript ubuntu ui unicode unittest unix utf-8 uv ux vagrant vercel vi vim vite vitest "
    "vscode vue vuex webpack wget windows winston wsl xargs xcode xunit yaml yapf yarn zed "
    "zig zod zsh zulip".split()
)
LANGUAGES: Final = frozenset(
    "arabic chinese danish dutch english finnish french german greek hebrew hindi italian "
    "japanese korean latin norwegian polish portuguese russian spanish swedish turkish "
    "ukrainian".split()
)
DETERMINERS: Final = frozenset(
    "a an the my your our its their his her this that these those each every all any some "
    "both either another such no more most less fewer enough several many much what which "
    "whatever whichever".split()
)
PREPOSITIONS: Final = frozenset(
    "about above across after against along among around at before behind below beside "
    "besides between beyond by despite down during except for from in inside instead into "
    "like near of off on onto out outside over per regarding than through throughout to "
    "toward towards under underneath until up upon using via versus vs with within without "
    "as".split()
)
PRONOUNS: Final = frozenset(
    "i me you we us it they them he him she one ones myself yourself itself themselves "
    "something anything everything someone anyone else mine yours ours".split()
)
ADVERBS: Final = frozenset(
    "again ahead already also alone always altogether anyway apart aside away back both case "
    "else elsewhere even ever everywhere explicitly if far first finally here how ideally "
    "instead just last later least likewise maybe mostly never not now often once only "
    "otherwise perhaps please possible rather regularly second soon still there thereafter "
    "though together too unless usually very well when where whether whenever wherever why "
    "yet step up-to-date etc".split()
)
TOPICS: Final = frozenset(
    "act acts appeal appeals contract contracts court courts deposit deposits fee fees law "
    "laws lease leases legislation licence licences license licenses notice notices penalties "
    "provision provisions regulation regulations rent rents statute statutes tax taxes "
    "tenancy tenancies".split()
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


def _finite(verb: str) -> set[str]:
    stem = verb.removesuffix("e")
    return {_plural(verb), f"{stem}ed", f"{verb[:-1]}ied", f"{verb}{verb[-1]}ed"}


IN_CLAUSES: Final = (
    KNOWN | VERBS | {form for verb in VERBS for form in _finite(verb)}
    | frozenset(
        "am is are be been being has have had was were can could may might should would need needs "
        "want wants exist exists written done made happen happens broken sure doubt blocked stuck "
        "told agree agrees understand know decide complain complains appear appears".split()
    )
)  # fmt: skip
"""What a condition of an instruction ("when something is unclear") may hold besides."""

"""An invented Act about ferries and moorings, as passages that verified."""

from __future__ import annotations

from corpusguard.gate.model import Evidence

TITLE = "Ferry Moorings Act, 2024"

TEXTS = {
    "rent": (
        "5 (1) An increase in a mooring fee is void unless the notice was given at least 90 days"
        " before the increase takes effect."
    ),
    "leave": (
        "6 If the owner has not repaired the berth within 14 days, the tenant may end the tenancy"
        " without notice."
    ),
    "deposit": (
        "7 (1) A harbour master shall return the deposit within 21 days, except where the berth"
        " was left damaged."
    ),
    "tow": "8 Despite section 12, a vessel that blocks a fairway may be towed at once.",
    "ticket": (
        "9 (1) Subject to subsection (3), a passenger may travel on any ferry of the line.\n"
        "(2) A passenger shall show the ticket when asked.\n"
        "(3) A child under 8 years of age may not travel alone."
    ),
    "close": (
        "10 (1) A ferry may sail at night.\n"
        "(2) Subsection (1) does not apply to a ferry that carries livestock."
    ),
    "duties": (
        "11 (1) The harbour master shall,\n"
        "(a) keep a log of every mooring;\n"
        "(b) test each lamp once in every 30 days; and\n"
        "(c) report a loss of more than $5,000 to the Minister."
    ),
    "refuse": (
        "12 (1) The Board may refuse a licence if the applicant,\n"
        "(a) has been convicted of smuggling within 5 years; and\n"
        "(b) has not paid the fine."
    ),
    "cancel": (
        "12 (2) The Board may cancel a licence if the holder,\n"
        "(a) moors without a lamp; or\n"
        "(b) lends the licence to another person."
    ),
    "exempt": (
        "13 No fee is payable by a vessel unless,\n"
        "(a) it stays for more than 24 hours; or\n"
        "(b) it discharges cargo."
    ),
    "choice": (
        "14 The owner of a wreck shall, within 60 days,\n"
        "(a) remove the wreck; or\n"
        "(b) pay the cost of its removal."
    ),
    "forbidden": (
        "15 No person shall,\n"
        "(a) cast off another's vessel; or\n"
        "(b) light a fire on a pontoon."
    ),
    "flush": (
        "16 Where a vessel,\n"
        "(a) sinks at its berth; or\n"
        "(b) drifts from its berth,\n"
        "the master shall tell the harbour master within 2 hours."
    ),
    "terms": (
        "1 In this Part,\n"
        "“berth” means a marked length of quay, but does not include a slipway;\n"
        "“line” means a ferry service licensed under section 3;\n"
        "“vessel” includes a raft."
    ),
    "fees": (
        "17 (1) An applicant may obtain a permit by giving,\n"
        "(a) a plan of the vessel;\n"
        "(b) proof of insurance for not less than $200,000; and\n"
        "(c) the fee set out in Schedule 2."
    ),
    "pair": (
        "18 The Minister may inspect a ferry. The master shall give the inspector every help."
        " However, no inspection may be made while passengers are boarding."
    ),
    "plain": "19 A ticket is valid for one year.",
    "only": "20 (1) A pilot may leave the bridge only if a second pilot is on duty.",
    "proviso": (
        "21 A fisher may sell from the boat, provided that the catch was landed on the same day."
    ),
    "until": "22 The lien continues until the fee and interest at 2 per cent are paid in full.",
    "penalty": (
        "23 (1) A person who contravenes section 15 is liable,\n"
        "(a) if the person is an individual, to a fine of not more than $2,000; or\n"
        "(b) if the person is a corporation, to a fine of not more than $40,000."
    ),
    "deep": (
        "24 (1) The Board may,\n"
        "(a) grant a licence to an applicant who,\n"
        "(i) is 18 years of age or older, and\n"
        "(ii) holds a certificate; and\n"
        "(b) attach conditions to the licence."
    ),
    "rules": (
        "25 Every berth licence is subject to the following conditions:\n"
        "1. The berth must be used at least once in 12 months.\n"
        "2. The holder may not sublet the berth, unless the Board consents in writing."
    ),
    "other": "26 A deckhand, other than an apprentice, shall hold a certificate.",
    "section": (
        "28 (1) A raft may moor free of charge.\n"
        "(2) This section does not apply to a raft that carries passengers."
    ),
    "range": (
        "29 (1) A dinghy may land at a quay.\n"
        "(2) A dinghy may stay for 2 hours.\n"
        "(3) Despite subsections (1) to (2), no dinghy may land during a race.\n"
        "(4) Clause 30 (1) (b) does not apply to a dinghy."
    ),
    "who": (
        "30 (1) The Board may license a person who must,\n"
        "(a) live on the island; and\n"
        "(b) own a boat."
    ),
    "tail": (
        "31 A pilot may,\n"
        "(a) leave the port; and\n"
        "(b) return to it,\n"
        "if the harbour master consents."
    ),
    "place": (
        "32 A market is a place where goods are,\n"
        "(a) sold; or\n"
        "(b) stored."
    ),
    "either": "34 A holder shall,\n(a) pay the fee; or\n(b) give up the berth.",
    "both": "35 A mate shall not,\n(a) drink; and\n(b) steer.",
    "waived": "36 A fee is waived if no vessel,\n(a) sinks; or\n(b) burns.",
    "pay": (
        "37 A pilot is paid 9 crowns a week, and 2 crowns more for each night of storm that the"
        " master has written down."
    ),
    "monday": (
        "38 The master shall write down each lamp found dark, and any person may read the record"
        " of it free of charge on a Monday."
    ),
    "second": (
        "39 The master shall appoint 1 pilot for each ferry, and may appoint a second where the"
        " harbour is deep."
    ),
    "use": "41 Lawful use means use if the vessel,\n(a) is lit; or\n(b) is moored.",
    "contrary": "33 A skipper may sail on Sundays. No raft may sail on Sundays.",
    "neither": "27 Neither the master nor the mate shall drink while on duty.",
}  # fmt: skip


def evidence(name, **changes):
    """A passage of the Act, verified."""
    facts = {"id": name, "refusal": None, "text": TEXTS[name], "title": TITLE, "section": ""}
    facts["section"] = TEXTS[name].split()[0]
    return Evidence(**{**facts, **changes})

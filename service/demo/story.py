"""The demonstration, told in order: three months of an invented owner, from proposals to proof."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from rich.markup import escape

from cypher.cli import tr
from policies.errors import DemonstrationFailed
from service.demo.assistants import Assistants
from service.demo.narrator import Narrator
from service.demo.stage import Stage

OWNER = "Louis Marchand"
HANDLE = "louis"
SCOPES = {
    "concierge": "third-party",
    "journal": "assistant-standard",
    "desk": "work-context",
    "confidant": "private-full",
}
"""The demonstration's assistants and what the owner grants each."""
COLOUR = "Is the cargo bike red or blue?"
STAFF = "Combien de personnes compte Atelier Nord ?"


@dataclass(slots=True)
class Scene:
    """What the chapters share."""

    stage: Stage
    tell: Narrator
    assistants: Assistants
    statements: dict[str, str] = field(default_factory=dict[str, str])
    """What was proposed, by proposal."""
    first_evening: str = ""
    """An instant after the first curation and before any correction, ISO 8601."""

    def curate(self) -> dict[str, Any]:
        """The curator's night, now."""
        self.tell.command("curate")
        return self.stage.mnemo("curate")

    def recall(self, by: str, query: str, **arguments: object) -> dict[str, Any]:
        """A recall by an assistant, told and shown."""
        shown = "".join(f", {name}={value}" for name, value in arguments.items())
        self.tell.call(by, "mem_recall", query + shown)
        answer = self.assistants[by].call("mem_recall", query=query, **arguments)
        self.tell.items(answer)
        return answer


def tell_story(stage: Stage) -> None:
    """Play the whole demonstration on a stage whose home is empty.

    Raises:
        MnemoError: a step did not do what it must; the demonstration stops there.
    """
    tell = Narrator()
    _open(stage, tell)
    tokens = _set_up(stage, tell)
    with Assistants(stage.url, tokens) as assistants:
        scene = Scene(stage, tell, assistants)
        for chapter in (
            _propose,
            _curate,
            _rule,
            _read,
            _compare_scopes,
            _correct,
            _look_back,
        ):
            chapter(scene)
    _verify(stage, tell)
    _close(tell)


def conversation() -> list[dict[str, str]]:
    """Three months of statements, oldest first: ``on``, ``by``, ``statement`` and sometimes ``words``."""
    text = files("service.demo").joinpath("conversation.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _open(stage: Stage, tell: Narrator) -> None:
    engine = "Neo4j" if stage.graph_url else tr("the embedded engine", "le moteur embarqué")
    tell.say(
        tr(
            f"[bold]Mnemo[/bold] keeps one person's memory so that AI assistants can read it, each within what its "
            f"owner allows, and never write it. This runs the real service on {engine}, in a temporary folder, with "
            f"an invented owner: {OWNER}, an architect in Lyon. It takes about a minute.",
            f"[bold]Mnemo[/bold] tient la mémoire d'une personne : des assistants IA la lisent, chacun dans les "
            f"limites qu'elle fixe, sans jamais l'écrire. Voici le vrai service sur {engine}, dans un dossier "
            f"temporaire, avec un propriétaire inventé : {OWNER}, architecte à Lyon. Comptez une minute.",
        )
    )


def _set_up(stage: Stage, tell: Narrator) -> dict[str, str]:
    tell.chapter(tr("A memory begins", "Une mémoire commence"))
    tell.command(f'init --owner "{OWNER}"')
    stage.begin(OWNER, HANDLE, "Europe/Paris")
    tell.command("serve")
    stage.start_service()
    tell.command("entities import entities.jsonl")
    registry = stage.home / "entities.jsonl"
    registry.write_text(files("service.demo").joinpath("entities.jsonl").read_text("utf-8"), "utf-8")
    found = stage.mnemo("entities", "import", str(registry))
    count = found["registered"] + found["known"]
    tell.say(
        tr(
            f"The owner registered {count} people, places, organisations and things. Nothing else can ever be what "
            "a memory is about: no assistant can smuggle in a stranger.",
            f"Le propriétaire a inscrit {count} personnes, lieux, organisations et objets. Un souvenir ne peut porter "
            "sur rien d'autre : aucun assistant n'y glissera un inconnu.",
        )
    )
    tokens: dict[str, str] = {}
    for name, scope in SCOPES.items():
        tell.command(f"grant {name} --scope {scope}")
        tokens[name] = stage.mnemo("grant", name, "--scope", scope)["token"]
    tell.say(
        tr(
            "Four assistants, four tokens, each revocable alone. S0 is public, S3 intimate: a scope sets how far one "
            "may see.",
            "Quatre assistants, quatre jetons, révocables un à un. S0 est public, S3 intime : la portée fixe jusqu'où "
            "chacun peut voir.",
        )
    )
    return tokens


def _propose(scene: Scene) -> None:
    tell = scene.tell
    tell.chapter(tr("Three months of conversation", "Trois mois de conversation"))
    said = conversation()
    receipt: dict[str, Any] = {}
    for line in tell.progress(said, tr("Assistants propose…", "Les assistants proposent…")):
        arguments = {"statement": line["statement"], "said_at": f"{line['on']}T18:00:00+01:00"}
        if "words" in line:
            arguments["words"] = line["words"]
        receipt = scene.assistants[line["by"]].call("mem_remember", **arguments)
        scene.statements[receipt["proposal"]] = line["statement"]
    tell.say(
        tr(
            f"The assistants proposed {len(said)} things they heard, in French and English. They can do no more than "
            "propose; each got a receipt:",
            f"Les assistants ont proposé {len(said)} choses entendues, en français et en anglais. Ils ne peuvent que "
            "proposer ; chacun a reçu un récépissé :",
        )
    )
    tell.call("desk", "mem_remember", said[-1]["statement"])
    tell.say(f"    {escape(receipt['message'])}")


def _curate(scene: Scene) -> None:
    tell = scene.tell
    tell.chapter(tr("The curator's night", "La nuit du curateur"))
    run = scene.curate()
    scene.first_evening = _now(scene)
    tell.say(
        tr(
            "A separate process read each proposal. Fixed rules decided, not a language model:",
            "Un processus à part a lu chaque proposition. Des règles fixes ont décidé, pas un modèle de langue :",
        )
    )
    tell.outcomes(run["counts"])
    tell.say(tr("One of each kind, and why:", "Un exemple de chaque sorte, et pourquoi :"))
    shown: set[str] = set()
    for outcome in run["outcomes"]:
        if outcome["reason"] not in shown and outcome["outcome"] != "committed":
            shown.add(outcome["reason"])
            statement = scene.statements.get(outcome["proposal"], "")
            tell.example(outcome["outcome"], statement, outcome["explanation"])


def _rule(scene: Scene) -> None:
    """The owner settles what was left to them."""
    tell, mnemo = scene.tell, scene.stage.mnemo
    tell.chapter(tr("What only the owner settles", "Ce que seul le propriétaire tranche"))
    waiting = mnemo("gates", "--view", "arbitrations")["items"]
    tell.say(
        tr(
            f"{len(waiting)} proposals wait for {OWNER}. An unknown person is refused until the owner registers them; "
            "then what was said of them is taken up:",
            f"{len(waiting)} propositions attendent {OWNER}. Une personne inconnue est refusée tant que le "
            "propriétaire ne l'inscrit pas ; ce qu'on en disait est alors repris :",
        )
    )
    tell.command('entities add "Bérénice Valmont" --type person')
    mnemo("entities", "add", "Bérénice Valmont", "--type", "person")
    scene.recall("desk", "Bérénice Valmont")
    for outcome in waiting:
        if outcome["reason"] == "name.ambiguous":
            tell.say(
                tr(
                    "Two Pauls are registered; Mnemo never guesses which. The owner does:",
                    "Deux Paul sont inscrits ; Mnemo ne devine jamais lequel. Le propriétaire le dit :",
                )
            )
            tell.command(f'rule {outcome["proposal"]} keep-new --anchor "Paul Lefèvre"')
            mnemo("rule", outcome["proposal"], "keep-new", "--anchor", "Paul Lefèvre")
            break
    for outcome in waiting:
        if outcome["reason"].startswith("rule."):
            tell.say(
                tr(
                    "A rule for assistants takes effect only once the owner has confirmed it:",
                    "Une règle pour les assistants ne vaut qu'une fois confirmée par le propriétaire :",
                )
            )
            tell.command(f"rule {outcome['proposal']} keep-new")
            mnemo("rule", outcome["proposal"], "keep-new")
            break
    tell.say(
        tr(
            "Health is never inferred: it enters only in the owner's own words.",
            "La santé n'est jamais déduite : elle n'entre que par les mots du propriétaire.",
        )
    )
    words = tr("I am allergic to penicillin.", "Je suis allergique à la pénicilline.")
    tell.command(f'declare "{words}" --domain health')
    mnemo("declare", words, "--domain", "health")


def _read(scene: Scene) -> None:
    tell = scene.tell
    tell.chapter(tr("Reading, with citations", "Lire, sources à l'appui"))
    scene.recall("journal", "Depuis quand Louis habite-t-il à Lyon ?")
    scene.recall("desk", "Who is the structural engineer of the Halle?")
    scene.recall("desk", "Que sait-on de la peinture flamande ?")
    tell.say(
        tr(
            "Nothing relevant gives “unknown” and nothing else, never the nearest thing at hand. A pack is what an "
            "assistant reads before it works:",
            "Rien de pertinent donne « unknown » et rien d'autre, jamais ce qui ressemble. Un dossier est ce qu'un "
            "assistant lit avant de travailler :",
        )
    )
    topic = tr(
        "The site visit with Emma Clarke and James Okafor",
        "La visite du chantier avec Emma Clarke et James Okafor",
    )
    tell.call("desk", "mem_context_pack", topic)
    pack = scene.assistants["desk"].call("mem_context_pack", topic=topic)
    tell.items(pack, most=6)
    tell.say(f"    [dim]{pack['tokens']} tokens[/dim]")
    tell.call("desk", "mem_path", f"Wang Xiaoming → {OWNER}")
    path = scene.assistants["desk"].call("mem_path", source="Wang Xiaoming", target=OWNER)
    for hop in path["hops"]:
        tell.say(
            f"    {escape(hop['source']['name'])} —{hop['type']}→ {escape(hop['target']['name'])}  "
            f"[dim]{hop['memory']}[/dim]"
        )


def _compare_scopes(scene: Scene) -> None:
    tell = scene.tell
    tell.chapter(tr("One question, two scopes", "Une question, deux portées"))
    question = tr(
        "When does the loan at Banque des Rives end?", "Quand se termine le prêt à la Banque des Rives ?"
    )
    scene.recall("confidant", question)
    scene.recall("concierge", question)
    tell.say(
        tr(
            "The second answer is byte for byte what it would be if the first had never existed: an assistant cannot "
            "tell that something above its scope is there.",
            "La seconde réponse est, octet pour octet, celle d'un grand livre où rien de tout cela n'existerait : un "
            "assistant ne peut pas savoir qu'il y a quelque chose au-dessus de sa portée.",
        )
    )


def _correct(scene: Scene) -> None:
    tell, journal, desk = scene.tell, scene.assistants["journal"], scene.assistants["desk"]
    tell.chapter(tr("An error is detectable and correctable", "Une erreur se voit et se corrige"))
    colour = scene.recall("journal", COLOUR)
    tell.call("journal", "mem_correct", "The cargo bike is blue, not red.")
    journal.call("mem_correct", id=_item(colour, "red"), statement="The cargo bike is blue, not red.")
    staff = scene.recall("desk", STAFF)
    tell.call(
        "desk",
        "mem_correct",
        "Atelier Nord compte quinze personnes. (change=succession, effective=2026-04-01)",
    )
    desk.call(
        "mem_correct",
        id=_item(staff, "douze"),
        statement="Atelier Nord compte quinze personnes.",
        change="succession",
        effective="2026-04-01",
    )
    pencil = scene.recall("desk", "green pencil")
    tell.call("desk", "mem_retract", _item(pencil, "pencil"))
    desk.call("mem_retract", id=_item(pencil, "pencil"), reason="a joke, taken literally")
    run = scene.curate()
    tell.outcomes(run["counts"])
    tell.say(
        tr(
            "A correction, a succession and a retraction were added, as in bookkeeping: nothing was edited.",
            "Une correction, une succession et un retrait se sont ajoutés, comme en comptabilité : "
            "rien n'a été réécrit.",
        )
    )
    _item(scene.recall("journal", COLOUR), "blue")


def _item(answer: dict[str, Any], words: str) -> str:
    """The id of the memory that an assistant picks from an answer by what it says.

    Raises:
        DemonstrationFailed: the answer says nothing of the kind.
    """
    for item in answer["items"]:
        if words in item["text"]:
            return str(item["id"])
    raise DemonstrationFailed(step="mem_recall", words=words)


def _look_back(scene: Scene) -> None:
    tell = scene.tell
    tell.chapter(tr("The past, on both axes", "Le passé, sur les deux axes"))
    tell.say(tr("What was true in March 2026:", "Ce qui était vrai en mars 2026 :"))
    _item(scene.recall("desk", STAFF, valid_at="2026-03"), "douze")
    tell.say(tr("What is true after the change:", "Ce qui est vrai après le changement :"))
    _item(scene.recall("desk", STAFF, valid_at="2026-05"), "quinze")
    tell.say(
        tr(
            "And what Mnemo believed before the correction, which only the owner and private-full may ask:",
            "Et ce que Mnemo croyait avant la correction, que seuls le propriétaire et private-full peuvent demander :",
        )
    )
    _item(scene.recall("confidant", COLOUR, known_at=scene.first_evening), "red")


def _verify(stage: Stage, tell: Narrator) -> None:
    tell.chapter(tr("Proof", "La preuve"))
    tell.command("verify")
    found = stage.mnemo("verify")
    tell.say(
        tr(
            f"[green]{found['size']} entries, every link of the chain holds.[/green] Root {found['root'][:16]}… Edit, "
            "delete, insert or swap one by hand, and this names it.",
            f"[green]{found['size']} écritures, chaque maillon de la chaîne tient.[/green] "
            f"Racine {found['root'][:16]}… Modifiez, supprimez, insérez ou déplacez-en une à la main : "
            "elle sera nommée.",
        )
    )


def _close(tell: Narrator) -> None:
    tell.chapter(tr("Your turn", "À vous"))
    tell.say(
        tr(
            "Everything shown here was real and has been removed. To begin your own memory:",
            "Tout ce qui précède était réel et vient d'être effacé. Pour commencer votre mémoire :",
        )
    )
    for words in (
        tr('init --owner "Your Name"', 'init --owner "Votre Nom"'),
        "serve",
        tr("grant my-assistant --scope assistant-standard", "grant mon-assistant --scope assistant-standard"),
    ):
        tell.command(words)
    tell.say(
        tr(
            "README.md says how to connect each assistant.",
            "README.md dit comment connecter chaque assistant.",
        )
    )


def _now(scene: Scene) -> str:
    """The present, as an assistant reads it off the service: the last receipt's clock is the machine's."""
    return str(scene.stage.mnemo("status")["now"])

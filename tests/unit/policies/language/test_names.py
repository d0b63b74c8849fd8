"""Names in sentences, and what the registry and the rules make of them (G11)."""

from __future__ import annotations

import pytest

from policies.language import gazetteer
from policies.language.names import Mention, MentionStatus, mentions
from policies.terms import EntityType
from tests.support.people import OWNER, people

REGISTRY = people()


def told(mention: Mention) -> str:
    """A resolved entity's short name, "?a|b" for candidates, "!person" for an unregistered one, "??" unclear."""
    names = "|".join(candidate.removeprefix("ent:") for candidate in mention.candidates)
    if mention.status is MentionStatus.RESOLVED:
        return names if mention.surface else "owner"
    if mention.status is MentionStatus.AMBIGUOUS:
        return f"?{names}"
    if mention.status is MentionStatus.UNREGISTERED:
        return f"!{mention.type.value if mention.type else ''}"
    return "??" if mention.status is MentionStatus.UNCLEAR else ""


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("fr", "Paul aime le thé.", [("Paul", "?pauld|paulm")]),
        ("fr", "Paul Durand aime le thé.", [("Paul Durand", "pauld")]),
        ("fr", "Paul Martin aime le thé.", [("Paul Martin", "!person")]),
        ("en", "Paul, the plumber, fixed the sink.", [("Paul", "paulm")]),
        ("fr", "Paul le plombier est venu.", [("Paul le plombier", "paulm")]),
        ("fr", "Le plombier Paul est venu.", [("Paul", "paulm")]),
        ("en", "I met Sophie Bernard at the party.", [("I", "louis"), ("Sophie Bernard", "!person")]),
        ("fr", "J'ai rencontré Karim hier.", [("J", "louis"), ("Karim", "!person")]),
        ("fr", "Marie travaille chez Acme.", [("Marie", "marie"), ("Acme", "acme")]),
        ("fr", "Marie habite à Lyon.", [("Marie", "marie"), ("Lyon", "lyon")]),
        ("en", "Marie works at Initech.", [("Marie", "marie"), ("Initech", "!organisation")]),
        ("en", "Marie works at Google.", [("Marie", "marie"), ("Google", "!organisation")]),
        ("fr", "J'utilise Google Maps tous les jours.", [("J", "louis")]),
        ("fr", "L'employeur de Marie est Globex.", [("Marie", "marie"), ("Globex", "globex")]),
        ("fr", "Ma sœur habite à Nantes.", [("Ma", "louis")]),
        ("fr", "Ma sœur Julie habite à Nantes.", [("Ma", "louis"), ("Julie", "!person")]),
        ("fr", "Mon médecin est le Dr Martin.", [("Mon", "louis"), ("Martin", "!person")]),
        ("fr", "M. Durand m'a appelé.", [("M. Durand", "pauld"), ("m", "louis")]),
        ("fr", "Mme Durand m'a appelé.", [("Durand", "!person"), ("m", "louis")]),
        ("fr", "mme lefèvre est passée", [("lefèvre", "marie")]),
        ("fr", "rappeler mme zielinska pour le bail", [("zielinska", "!person")]),
        ("en", "call mr smith back", [("", "owner"), ("smith", "!person")]),
        ("en", "My dog Rex likes Zorg.", [("My", "louis"), ("Zorg", "??")]),
        ("fr", "Mon chat s'appelle Moka.", [("Mon", "louis")]),
        ("zh", "王芳喜欢喝茶。", [("王芳", "wang")]),
        ("en", "Wang Fang lives in Beijing.", [("Wang Fang", "wang")]),
        ("fr", "王芳 aime le thé.", [("王芳", "wang")]),
        ("fr", "Jean-Pierre est venu.", [("Jean-Pierre", "jp")]),
        ("fr", "Jean est venu.", [("Jean", "!person")]),
        ("fr", "J.-P. Blanc est venu.", [("J.-P. Blanc", "jp")]),
        ("en", "The red bike is broken.", [("", "owner")]),
        ("fr", "Mon vélo est cassé.", [("Mon", "louis"), ("vélo", "velo")]),
        ("fr", "Le projet Mercure avance.", [("projet Mercure", "merc")]),
        ("fr", "Mercure est en retard.", [("Mercure", "merc")]),
        ("en", "Kubernetes is complicated.", [("", "owner")]),
        ("en", "Python is my favourite language.", [("my", "louis")]),
        ("fr", "J'apprends le Rust et le japonais.", [("J", "louis")]),
        ("fr", "Je parle français et Italien.", [("Je", "louis")]),
        ("en", "I speak French and Italian.", [("I", "louis")]),
        ("en", "On Monday I will go to Paris with Marie.", [("I", "louis"), ("Marie", "marie")]),
        ("en", "Gardening relaxes me.", [("me", "louis")]),
        ("fr", "Rien de spécial.", [("", "owner")]),
        ("en", "PAUL DURAND IS MY FRIEND.", [("PAUL DURAND", "pauld"), ("MY", "louis")]),
        ("fr", "paul durand est mon ami", [("paul durand", "pauld"), ("mon", "louis")]),
        ("fr", "j'ai vu sophie hier", [("j", "louis"), ("sophie", "!person")]),
        ("en", "The user prefers dark mode.", [("The user", "louis")]),
        ("fr", "L'utilisateur préfère le thé.", [("L'utilisateur", "louis")]),
        ("en", "User likes hiking.", [("User", "louis")]),
        ("fr", "La SNCF est en grève.", [("SNCF", "!organisation")]),
        ("en", "I have an account at BNP Paribas.", [("I", "louis"), ("BNP Paribas", "!organisation")]),
        ("fr", "Je travaille pour Zorglub depuis 2019.", [("Je", "louis"), ("Zorglub", "!organisation")]),
        ("en", "Zorglub told me it was fine.", [("Zorglub", "!person"), ("me", "louis")]),
        ("fr", "Zorglub est une boîte de conseil.", [("Zorglub", "!organisation")]),
        ("fr", "Mon frère Paul Durand vit à Rome.", [("Mon", "louis"), ("Paul Durand", "pauld")]),
        ("en", "Dr. Who is a good show.", [("Who", "!person")]),
        ("en", "I read Harry Potter last summer.", [("I", "louis")]),
        ("fr", "J'ai regardé Inception avec Marie.", [("J", "louis"), ("Marie", "marie")]),
        ("en", "Florence is beautiful.", [("Florence", "??")]),
        ("en", "I live in Florence.", [("I", "louis")]),
        ("fr", "Florence habite à Nice.", [("Florence", "!person")]),
        ("fr", "Nice est une belle ville.", [("", "owner")]),
        ("fr", "J'adore Nice.", [("J", "louis")]),
        ("fr", "Rue Victor Hugo, il y a une boulangerie.", [("", "owner")]),
        ("fr", "J'habite 12 rue Jean Jaurès.", [("J", "louis")]),
        ("fr", "Le restaurant Chez Georges est fermé.", [("", "owner")]),
        ("en", "We went to Lake Tahoe.", [("We", "louis")]),
        ("en", "My car is a Renault Clio.", [("My", "louis")]),
        ("fr", "L'iPhone 15 est cher.", [("", "owner")]),
        ("en", "I love Taylor Swift.", [("I", "louis"), ("Taylor Swift", "!person")]),
        ("fr", "Pierre a déménagé.", [("Pierre", "!person")]),
        ("fr", "La pierre est dure.", [("", "owner")]),
        ("fr", "Une orange par jour.", [("", "owner")]),
        ("fr", "Je suis chez Orange.", [("Je", "louis"), ("Orange", "!organisation")]),
        ("fr", "L'Orange est mûre.", [("Orange", "!organisation")]),
        ("en", "Rose is my neighbor.", [("Rose", "!person"), ("my", "louis")]),
        ("en", "Rose petals are nice.", [("", "owner")]),
        ("en", "Will called me.", [("me", "louis")]),
        ("en", "Will you come?", [("", "owner")]),
        ("en", "April is my neighbour.", [("April", "!person"), ("my", "louis")]),
        ("en", "In April we leave.", [("we", "louis")]),
        ("fr", "MARIE habite à LYON.", [("MARIE", "marie"), ("LYON", "lyon")]),
        ("fr", "Marie Lefèvre adore le jazz.", [("Marie Lefèvre", "marie")]),
        ("fr", "Mimi adore le jazz.", [("Mimi", "marie")]),
        ("en", "Marie's sister is a nurse.", [("Marie", "marie")]),
        ("fr", "La sœur de Marie est infirmière.", [("Marie", "marie")]),
        ("fr", "Le chien de Zorg aboie.", [("Zorg", "??")]),
        ("en", "van der Berg called.", [("Berg", "!person")]),
        ("en", "Ludwig van der Berg called.", [("Ludwig van der Berg", "!person")]),
        ("fr", "Charles de Gaulle est né à Lille.", [("Charles de Gaulle", "!person")]),
        ("fr", "Marie de la Tour est venue.", [("Marie de la Tour", "!person")]),
        ("en", "Acme Corp. hired me.", [("Acme Corp", "acme"), ("me", "louis")]),
        ("en", "The Acme project is late.", [("Acme", "acme")]),
        ("en", "I studied at Harvard.", [("I", "louis"), ("Harvard", "!organisation")]),
        ("fr", "L'Université de Lyon recrute.", [("Université de Lyon", "!organisation")]),
        (
            "fr",
            "Je suis membre de l'association Les Amis du Jardin.",
            [("Je", "louis"), ("Les Amis", "!organisation")],
        ),
        ("en", "My boss, Karen, is nice.", [("My", "louis"), ("Karen", "!person")]),
        ("en", "I was born on Christmas Eve.", [("I", "louis")]),
        (
            "de",
            "Ich wohne in Berlin und arbeite bei Siemens.",
            [("Ich", "louis"), ("Siemens", "!organisation")],
        ),
        ("es", "Vivo en Madrid con mi hermana.", [("mi", "louis")]),
        ("ru", "Анна любит чай.", [("Анна", "!person")]),
        ("en", "Paul and I went to Rome.", [("Paul", "?pauld|paulm"), ("I", "louis")]),
        ("en", "Paul D. came.", [("Paul D", "pauld")]),
        ("en", "PD came.", [("PD", "??")]),
        ("fr", "Le serveur NAS est malade.", [("", "owner")]),
        ("en", "I Love Going To The Beach With My Friends", [("I", "louis")]),
        ("fr", "J'ai prêté mon livre à Zorg.", [("J", "louis"), ("Zorg", "!person")]),
        ("en", "Bell taught Marie the piano.", [("Bell", "!person"), ("Marie", "marie")]),
        ("en", "Baker and Marie share an office.", [("Baker", "??"), ("Marie", "marie")]),
        ("en", "Tea and cake for Marie.", [("Marie", "marie")]),
        ("en", "Hunter coaches Marie.", [("Hunter", "!person"), ("Marie", "marie")]),
        ("en", "Young helps Marie.", [("Young", "!person"), ("Marie", "marie")]),
        ("en", "Marie told Wieczorek everything.", [("Marie", "marie"), ("Wieczorek", "!person")]),
        ("en", "Marie shares a desk with Wren.", [("Marie", "marie"), ("Wren", "??")]),
        ("en", "My accountant is called mirabelle leduc.", [("My", "louis"), ("mirabelle leduc", "!person")]),
        ("fr", "Son beau-frère s'appelle anatole.", [("anatole", "!person")]),
        ("en", "met thaddeus at the gym", [("", "owner"), ("thaddeus", "!person")]),
        ("en", "Marie grows Douglas fir.", [("Marie", "marie")]),
        ("en", "Marie told Douglas fir is strong.", [("Marie", "marie"), ("Douglas", "??")]),
        ("fr", "Le projet Mercure Xylo avance.", [("projet Mercure", "merc"), ("Xylo", "??")]),
        ("en", "Marie borrowed Adamson's boat.", [("Marie", "marie"), ("Adamson", "??")]),
        ("en", "Marie went with Nomad.", [("Marie", "marie")]),
        ("en", "Marie hired Delmas.", [("Marie", "marie"), ("Delmas", "!person")]),
        ("en", "Plan B of Marie is a loft.", [("Marie", "marie")]),
        ("en", "Marie sails a Dufour 34.", [("Marie", "marie")]),
        ("fr", "Marie est passée de Firefox à Vivaldi.", [("Marie", "marie")]),
        ("en", "Her favourite series is Doctor Who.", [("", "owner")]),
        ("fr", "Je me marie au printemps.", [("Je", "louis")]),
        ("en", "Met Bob & Alice yesterday.", [("", "owner"), ("Bob", "!person"), ("Alice", "!person")]),
        ("fr", "La Défense est loin.", [("", "owner")]),
        ("en", "Tesla Model 3 is my car.", [("my", "louis")]),
        ("en", "My phone number is 555.", [("My", "louis")]),
        ("fr", "Durand est mon voisin.", [("Durand", "pauld"), ("mon", "louis")]),
        ("en", "Mercier's invoice arrived.", [("Mercier", "paulm")]),
        (
            "en",
            "The user met Nadia Haddad at the conference.",
            [("The user", "louis"), ("Nadia Haddad", "!person")],
        ),
        (
            "en",
            "Nadia Haddad is the user's new manager.",
            [("Nadia Haddad", "!person"), ("the user", "louis")],
        ),
        ("fr", "Élodie a déménagé à Bordeaux.", [("Élodie", "!person")]),
        (
            "fr",
            "L'utilisateur travaille chez Dassault depuis 2015.",
            [("L'utilisateur", "louis"), ("Dassault", "!organisation")],
        ),
        ("fr", "Paul a prêté 50 euros à Paul Durand.", [("Paul", "?pauld|paulm"), ("Paul Durand", "pauld")]),
        (
            "en",
            "Paul Durand and Paul Mercier play chess together.",
            [("Paul Durand", "pauld"), ("Paul Mercier", "paulm")],
        ),
        ("fr", "Paul D. m'a appelé.", [("Paul D", "pauld"), ("m", "louis")]),
        ("fr", "Le frère de Paul s'appelle Marc.", [("Paul", "?pauld|paulm"), ("Marc", "!person")]),
        ("en", "Karim from accounting sent the invoice.", [("Karim", "!person")]),
        ("en", "I prefer Firefox to Chrome.", [("I", "louis")]),
        ("en", "I bought a Fender Stratocaster.", [("I", "louis")]),
        ("fr", "J'ai commandé une pizza chez Domino's.", [("J", "louis"), ("Domino", "!organisation")]),
        (
            "en",
            "My flight with Air France lands at Roissy.",
            [("My", "louis"), ("Air France", "!organisation")],
        ),
        ("en", "I watched The Godfather with Marie.", [("I", "louis"), ("Marie", "marie")]),
        ("fr", "J'écoute du Mozart le matin.", [("J", "louis")]),
        ("en", "I love Beethoven.", [("I", "louis")]),
        ("fr", "Je lis Proust en ce moment.", [("Je", "louis")]),
        ("fr", "J'ai lu Les Misérables.", [("J", "louis")]),
        ("en", "The Smiths are coming for dinner.", [("", "owner")]),
        ("fr", "Les Durand viennent dîner.", [("Durand", "pauld")]),
        ("fr", "La famille Martin habite en face.", [("Martin", "!person")]),
        ("en", "I use Obsidian for notes and Todoist for tasks.", [("I", "louis")]),
        ("en", "I deployed the app on Hetzner.", [("I", "louis"), ("Hetzner", "??")]),
        ("en", "Our team uses Jira and Confluence.", [("Our", "louis")]),
        ("fr", "Le serveur tourne sous Debian 12.", [("", "owner")]),
        (
            "en",
            "Marie studies medicine at the University of Geneva.",
            [("Marie", "marie"), ("University of Geneva", "!organisation")],
        ),
        ("fr", "Marie a eu son bac au lycée Lakanal.", [("Marie", "marie"), ("Lakanal", "!organisation")]),
        ("fr", "Rendez-vous chez le dentiste mardi à 10h.", [("", "owner")]),
        ("fr", "Le docteur Benali m'a conseillé de marcher.", [("Benali", "!person"), ("m", "louis")]),
        ("en", "Dr. Benali recommended it.", [("Benali", "!person")]),
        ("fr", "Tante Jeanne fête ses 80 ans.", [("Tante Jeanne", "!person")]),
        ("en", "Grandma Rose makes the best pie.", [("Grandma Rose", "!person")]),
        ("en", "Uncle Bob sold the house.", [("Uncle Bob", "!person")]),
        ("fr", "La société Nexalis a signé le contrat.", [("Nexalis", "!organisation")]),
        ("fr", "Nexalis a signé le contrat.", [("Nexalis", "!organisation")]),
        ("en", "Nexalis signed the contract.", [("Nexalis", "!organisation")]),
        ("en", "I have a meeting with Nexalis on Monday.", [("I", "louis"), ("Nexalis", "??")]),
        (
            "en",
            "The CEO of Nexalis is Marc Lefebvre.",
            [("Nexalis", "!organisation"), ("Marc Lefebvre", "!person")],
        ),
        ("fr", "Mon assurance est à la MAIF.", [("Mon", "louis"), ("MAIF", "!organisation")]),
        ("fr", "J'ai ouvert un compte chez Boursorama.", [("J", "louis"), ("Boursorama", "!organisation")]),
        ("fr", "Je vais à la Fnac.", [("Je", "louis"), ("Fnac", "!organisation")]),
        ("en", "I shop at Carrefour.", [("I", "louis"), ("Carrefour", "!organisation")]),
        ("en", "We had dinner at Chez Marcel.", [("We", "louis")]),
        ("fr", "On a dîné au Bistrot du Port.", [("", "owner")]),
        ("en", "I live on Baker Street.", [("I", "louis")]),
        ("fr", "J'habite place de la République.", [("J", "louis")]),
        ("fr", "Nous partons en Bretagne cet été.", [("Nous", "louis")]),
        ("fr", "Le TGV pour Marseille part à 8h.", [("", "owner")]),
        ("en", "She speaks Swahili.", [("", "owner")]),
        ("fr", "Le Mondial de l'Auto est en octobre.", [("", "owner")]),
        ("en", "The Super Bowl is in February.", [("", "owner")]),
        ("fr", "J'ai couru le marathon de Paris.", [("J", "louis")]),
        ("fr", "Mon fils Léo entre au CP.", [("Mon", "louis"), ("Léo", "!person")]),
        ("fr", "Mon chien Médor a 5 ans.", [("Mon", "louis")]),
        ("fr", "Médor est mon chien.", [("mon", "louis")]),
        ("en", "My cat is called Whiskers.", [("My", "louis")]),
        ("en", "Whiskers needs a vet appointment.", [("", "owner")]),
        ("fr", "Ma voiture, une Twingo, est en panne.", [("Ma", "louis")]),
        ("fr", "Le mot de passe du Wi-Fi est sur le frigo.", [("", "owner")]),
        ("en", "I follow the Mediterranean diet.", [("I", "louis")]),
        (
            "en",
            "I'm reading Sapiens by Yuval Noah Harari.",
            [("I", "louis"), ("Yuval Noah Harari", "!person")],
        ),
        ("fr", "Je suis fan de l'OM.", [("Je", "louis")]),
        ("en", "I am a fan of Arsenal.", [("I", "louis")]),
        ("fr", "Il faut acheter du lait et du Nutella.", [("", "owner")]),
        ("fr", "Bonjour, je m'appelle Louis.", [("je", "louis"), ("Louis", "louis")]),
        ("fr", "Louis Moreau habite à Lyon.", [("Louis Moreau", "louis"), ("Lyon", "lyon")]),
        ("fr", "Le bureau de Globex est à Genève.", [("Globex", "globex")]),
        ("en", "Globex's office moved to Zurich.", [("Globex", "globex")]),
        ("fr", "GLOBEX recrute.", [("GLOBEX", "globex")]),
        ("fr", "globex a un nouveau directeur.", [("globex", "globex")]),
        ("en", "wang fang likes tea", [("wang fang", "wang")]),
        ("en", "Wang likes tea.", [("Wang", "wang")]),
        ("fr", "mimi vient demain", [("mimi", "marie")]),
        ("fr", "Le vélo de Marie est rouge.", [("vélo", "velo"), ("Marie", "marie")]),
        ("fr", "Marie-Claire est ma cousine.", [("Marie-Claire", "!person"), ("ma", "louis")]),
        ("fr", "Jean-Paul Durand est mon oncle.", [("Jean-Paul Durand", "!person"), ("mon", "louis")]),
        ("en", "Paul-Henri called.", [("Paul-Henri", "!person")]),
        ("fr", "Durand Paul est arrivé.", [("Durand Paul", "pauld")]),
        ("fr", "Mme Lefèvre est ma voisine.", [("Mme Lefèvre", "marie"), ("ma", "louis")]),
        ("fr", "M. Lefèvre est mon voisin.", [("Lefèvre", "!person"), ("mon", "louis")]),
        ("en", "Mr. Smith teaches maths.", [("Smith", "!person")]),
        ("fr", "Monsieur Durand est là.", [("Durand", "pauld")]),
        ("en", "Ms Lefèvre called.", [("Ms Lefèvre", "marie")]),
        ("fr", "Maître Corbin suit le dossier.", [("Corbin", "!person")]),
        ("fr", "Paulette aime le thé.", [("Paulette", "!person")]),
        ("fr", "Marielle aime le thé.", [("Marielle", "!person")]),
        ("en", "Pauline likes tea.", [("Pauline", "!person")]),
        ("en", "Another Marie likes tea.", [("Marie", "!person")]),
        ("fr", "Une autre Marie Lefèvre aime le thé.", [("Marie Lefèvre", "!person")]),
        ("fr", "une autre marie lefèvre aime le thé", [("marie lefèvre", "!person")]),
        ("fr", "une autre mimi vient demain", [("mimi", "!person")]),
        ("fr", "L'autre Marie aime le thé.", [("Marie", "!person")]),
        ("en", "A certain Marie called.", [("Marie", "!person")]),
        ("en", "I am certain Marie called.", [("I", "louis"), ("Marie", "marie")]),
        ("en", "Another Paul likes tea.", [("Paul", "?pauld|paulm")]),
        ("en", "Another Acme opened.", [("Acme", "acme")]),
        ("fr", "La rue Marie Lefèvre est fermée.", [("", "owner")]),
        ("fr", "rue Marie Lefèvre à Lyon", [("Lyon", "lyon")]),
        ("fr", "Le voilier Marie coule.", [("", "owner")]),
        ("fr", "J'habite dans la rue Marie Lefèvre.", [("J", "louis")]),
        ("fr", "J'habite dans la rue Marie Lefèvre à Lyon.", [("J", "louis"), ("Lyon", "lyon")]),
        ("fr", "Au restaurant Marie prend du poisson.", [("Marie", "marie")]),
        ("fr", "Le vélo, Marie le prend.", [("vélo", "velo"), ("Marie", "marie")]),
        ("fr", "La maison de Marie est rouge.", [("Marie", "marie")]),
        ("en", "The boat Marie bought is red.", [("Marie", "marie")]),
        ("fr", "Lefèvre SARL a appelé.", [("Lefèvre SARL", "!organisation")]),
        ("en", "Marie Lefèvre Ltd is a firm.", [("Marie Lefèvre Ltd", "!organisation")]),
        ("fr", "L. Lefèvre joue aux échecs.", [("L. Lefèvre", "??")]),
        ("fr", "D. Lefèvre joue aux échecs.", [("D. Lefèvre", "??")]),
        ("fr", "Acme France a un nouveau site.", [("Acme", "acme")]),
        ("fr", "Le groupe Acme se développe.", [("Acme", "acme")]),
        ("fr", "Acmé a fermé.", [("Acmé", "acme")]),
        ("fr", "La Croix-Rouge m'a appelé.", [("Croix-Rouge", "!organisation"), ("m", "louis")]),
        ("en", "IBM hired my cousin.", [("IBM", "!organisation"), ("my", "louis")]),
        ("fr", "L'INSEE publie les chiffres.", [("INSEE", "!organisation")]),
        ("en", "The WHO recommends it.", [("", "owner")]),
        ("en", "NASA is hiring.", [("NASA", "!organisation")]),
        (
            "fr",
            "J'ai un crédit à la Banque Populaire.",
            [("J", "louis"), ("Banque Populaire", "!organisation")],
        ),
        ("fr", "Ma banque est le Crédit Agricole.", [("Ma", "louis"), ("Crédit Agricole", "ca")]),
        ("en", "My insurer is Zorglub Insurance.", [("My", "louis"), ("Zorglub Insurance", "!organisation")]),
        ("fr", "Le Projet Mercure est lancé.", [("Projet Mercure", "merc")]),
        ("fr", "Le projet Atlas est lancé.", [("", "owner")]),
        ("en", "Project Atlas is late.", [("", "owner")]),
        ("en", "The book club meets on Thursdays.", [("", "owner")]),
        ("fr", "Le Petit Prince est mon livre préféré.", [("mon", "louis")]),
        ("fr", "Rien à signaler. Tout va bien.", [("", "owner")]),
        ("fr", "Attention : le code est 1234.", [("", "owner")]),
        ("fr", "Note : Sophie préfère le train.", [("Sophie", "!person")]),
        ("en", "FYI Bob can't come.", [("Bob", "!person")]),
        ("en", "Remember that Alice is vegan.", [("Alice", "!person")]),
        ("fr", "TODO: appeler Karim.", [("Karim", "!person")]),
        ("en", "- Bob likes tea", [("Bob", "!person")]),
        ("en", '"Bob likes tea"', [("Bob", "!person")]),
        ("en", "He said that Thomas is right.", [("Thomas", "!person")]),
        ("en", "Thanks to Olga we won.", [("Olga", "!person"), ("we", "louis")]),
        ("pt", "Moro em Lisboa com a Ana.", [("Ana", "!person")]),
        ("it", "Vivo a Milano con Giulia.", [("Giulia", "!person")]),
        (
            "es",
            "Mi hermana Lucía trabaja en Acme.",
            [("Mi", "louis"), ("Lucía", "!person"), ("Acme", "acme")],
        ),
        ("de", "Mein Bruder Hans wohnt in Wien.", [("Mein", "louis"), ("Hans", "!person")]),
        ("de", "Der Hund von Marie ist alt.", [("Marie", "marie")]),
        ("nl", "Ik woon in Gent.", [("Ik", "louis")]),
        ("ja", "田中さんは東京に住んでいます。", [("田中", "!person")]),
        ("zh", "我和李明去北京。", [("我", "louis"), ("李明", "!person")]),
        ("zh", "王芳住在上海。", [("王芳", "wang")]),
        ("ko", "김민수 씨는 서울에 산다.", [("김민수", "!person")]),
        ("ru", "Мой брат Иван живёт в Москве.", [("Мой", "louis"), ("Иван", "!person"), ("Москве", "??")]),
        ("ar", "أنا أحب القهوة.", [("", "owner")]),
        (
            "en",
            "Paul's brother Marc lives in Lyon.",
            [("Paul", "?pauld|paulm"), ("Marc", "!person"), ("Lyon", "lyon")],
        ),
        ("en", "I owe Marie 20 euros.", [("I", "louis"), ("Marie", "marie")]),
        ("en", "Prefers aisle seats.", [("", "owner")]),
        ("en", "Allergic to peanuts.", [("", "owner")]),
        ("en", "Works at Globex since 2020.", [("", "owner"), ("Globex", "globex")]),
        ("en", "Lives with Marie in Lyon.", [("", "owner"), ("Marie", "marie"), ("Lyon", "lyon")]),
        ("en", "Marie and I broke up.", [("Marie", "marie"), ("I", "louis")]),
        ("en", "The dog of Marie is sick.", [("Marie", "marie")]),
    ],
)
def test_names_are_resolved_told_unregistered_or_left_as_mere_mentions(
    language: str, sentence: str, expected: list[tuple[str, str]]
) -> None:
    found = [(mention.surface, told(mention)) for mention in mentions(sentence, REGISTRY, language)]
    assert [one for one in found if one[1]] == expected


def test_a_mention_stands_where_it_says() -> None:
    text = "Hier, Marie Lefe\u0300vre a vu Sophie Bernard et 王芳 à Lyon."
    found = mentions(text, REGISTRY, "fr")
    assert [text[mention.start : mention.end] for mention in found] == [mention.surface for mention in found]
    assert len(found) == 4


def test_without_an_owner_nobody_is_understood() -> None:
    assert mentions("I prefer tea.", people(owner=False), "en") == ()


def test_a_punctuation_only_text_is_about_the_owner_or_nobody() -> None:
    assert [mention.candidates for mention in mentions("…!?", REGISTRY, "und")] == [(OWNER,)]


def test_an_organisation_and_a_person_of_one_name_are_told_apart_by_the_words_around() -> None:
    registry = people(("firm", "Durand SA", EntityType.ORGANISATION, ()))
    assert told(mentions("Marie travaille chez Durand.", registry, "fr")[1]) == "firm"
    assert told(mentions("M. Durand est venu.", registry, "fr")[0]) == "pauld"
    assert told(mentions("J'ai vu Durand.", registry, "fr")[1]) == "?firm|pauld"


def test_two_entities_of_one_name_are_ambiguous_even_in_full() -> None:
    registry = people(("other", "Paul Durand", EntityType.PERSON, ()))
    assert told(mentions("Paul Durand est venu.", registry, "fr")[0]) == "?other|pauld"


def test_a_name_that_is_a_common_word_needs_its_capital() -> None:
    registry = people(
        ("orange", "Orange", EntityType.ORGANISATION, ()), ("rose", "Rose Petit", EntityType.PERSON, ())
    )
    assert [told(m) for m in mentions("Une orange par jour.", registry, "fr")] == ["owner"]
    assert [told(m) for m in mentions("Je suis chez Orange.", registry, "fr")] == ["louis", "orange"]
    assert [told(m) for m in mentions("Un petit chien.", registry, "fr")] == ["owner"]
    assert [told(m) for m in mentions("Rose est malade.", registry, "fr")] == ["rose"]
    assert [told(m) for m in mentions("Petit déjeuner à huit heures.", registry, "fr")] == ["owner"]
    assert [told(m) for m in mentions("Petit's car is here.", registry, "en")] == ["rose"]


def test_a_place_inside_another_name_is_not_that_place() -> None:
    assert [told(m) for m in mentions("Nous étions à la Gare de Lyon.", REGISTRY, "fr")] == ["louis", ""]
    assert [told(m) for m in mentions("La Ville de Lyon recrute.", REGISTRY, "fr")] == ["", "lyon"]


def test_a_lower_case_alias_is_found_anywhere() -> None:
    registry = people(("boat", "le vieux bateau", EntityType.OBJECT, ("coque de noix",)))
    assert [
        told(m) for m in mentions("Coque de noix prend l'eau, le vieux bateau aussi.", registry, "fr")
    ] == ["boat", "boat"]


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("fr", "Société Globex a fermé.", ["globex"]),
        ("fr", "Mercure Projet avance.", ["merc", ""]),
        ("fr", "Le Vieux Lyon est beau.", ["", "lyon"]),
        ("fr", "Zorg est, disons, mon voisin.", ["??", "louis"]),
        ("fr", "J'ai vu Lefebvre.", ["louis", "!person"]),
        ("fr", "Le Zorg3000 est lent.", ["owner", ""]),
        ("fr", "Mon iZorg marche.", ["louis", ""]),
        ("fr", "P. D. est venu.", ["??"]),
        ("fr", "Marie de, la Tour.", ["marie", ""]),
        ("fr", "Marie 王芳 sont là.", ["marie", "wang"]),
        ("fr", "Mimi Martin est venue.", ["!person"]),
        ("en", "Sophie Globex came.", ["!person"]),
        ("fr", "Zorg. C'est mon voisin.", ["??", "louis"]),
        ("fr", "Le plombier est venu. Paul aussi. Le plombier est reparti.", ["?pauld|paulm"]),
        ("fr", "王芳 (Fang Wang) parle anglais.", ["wang", "wang"]),
        ("en", "I use Obsidian and Zorgify.", ["louis", "", ""]),
        ("en", "I use Obsidian. Then there is this other one, Zorgify.", ["louis", "", "??"]),
        ("fr", "M-Budget est une marque.", ["owner", ""]),
        ("fr", "J'ai un compte BNP Paribas Fortis.", ["louis", "!organisation"]),
        ("fr", "Zorg SA est fermée.", ["!organisation"]),
        ("en", "Smith & Wesson sells.", ["!organisation"]),
        ("fr", "Le Zorg Festival est en mai.", ["owner", ""]),
        ("fr", "Mon équipe, Bordeaux, a perdu.", ["louis", ""]),
        ("fr", "Sophie est une marque.", ["!person"]),
        ("fr", "Zorg Sophie est venue.", ["!person"]),
        ("en", "A power user prefers tea.", ["owner"]),
        ("zh", "高兴的是我来了。", ["louis"]),
    ],
)
def test_corners_of_names(language: str, sentence: str, expected: list[str]) -> None:
    assert [told(mention) for mention in mentions(sentence, REGISTRY, language)] == expected


def test_a_name_without_any_word_is_never_found() -> None:
    assert [
        told(m) for m in mentions("A ★ is born.", people(("star", "★", EntityType.OBJECT, ())), "en")
    ] == ["owner"]


def test_two_people_of_one_chinese_name_are_ambiguous() -> None:
    registry = people(("wang2", "王芳", EntityType.PERSON, ()))
    assert told(mentions("王芳 (Fang) est là.", registry, "fr")[0]) == "?wang|wang2"


def test_the_sex_of_a_given_name_may_be_unknown() -> None:
    assert [gazetteer.sex(name) for name in ("marie", "paul", "camille", "zorg")] == ["f", "m", None, None]


@pytest.mark.parametrize("other", [EntityType.ORGANISATION, EntityType.EVENT, EntityType.PROJECT])
def test_a_whole_name_is_not_what_has_it_in_part(other: EntityType) -> None:
    """ "Lyon" is the town although a club of Lyon is registered; "Paul" is either Paul although one is an alias."""
    known = people(
        ("club", "Aviron Club de Lyon", other, ()),
        ("alias", "Paul Arnaud", EntityType.PERSON, ("Paul",)),
    )
    found = mentions("Paul habite à Lyon.", known, "fr")
    assert [told(mention) for mention in found] == ["?alias|pauld|paulm", "lyon"]

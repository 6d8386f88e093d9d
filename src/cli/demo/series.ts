// The recurring campaigns of the fictional company: who sends them, when, to whom, about what, and how they are received.

export interface RecurringCampaign {
  team: string;
  tag: { name: string; color: string };
  /** Before the @ of the sender address. */
  mailbox: string;
  everyWeeks: number;
  /** 1 is Monday. */
  weekday: number;
  /** Hours after the working day starts. */
  hour: number;
  /** The groups of a branch that receive it, as arguments of `slice`. */
  audience: readonly [from: number, to?: number];
  sendingType: "Immediate" | "Scheduled" | "Timezone";
  /** The share of recipients who open it, and of those the share who click, in an average week. */
  appeal: number;
  clicks: number;
  /** Of reads, the share that is glanced, and that is glanced or skimmed. */
  reads: readonly [glanced: number, skimmed: number];
  survey?: { kind: "enps" | "pulse"; id: string; question: string; everyNth: number; share: number };
  /** In turn over the year. */
  subjects: readonly string[];
  /** Paths on the company's website, the most interesting first. */
  links: readonly string[];
}

const newsletter: RecurringCampaign = {
  team: "Internal Communications",
  tag: { name: "Newsletter", color: "#4E79A7" },
  mailbox: "news",
  everyWeeks: 1,
  weekday: 5,
  hour: 1,
  audience: [0],
  sendingType: "Scheduled",
  appeal: 0.64,
  clicks: 0.27,
  reads: [0.22, 0.55],
  survey: {
    kind: "enps",
    id: "workplace",
    question: "How likely are you to recommend Lindgren & Sons as a place to work?",
    everyNth: 3,
    share: 0.24,
  },
  subjects: [
    "The week at Lindgren: a new year, and who won the sledge race",
    "The week at Lindgren: the warehouse has counted everything",
    "The week at Lindgren: meet our four new colleagues",
    "The week at Lindgren: why Göteborg now packs without plastic",
    "The week at Lindgren: twenty years behind the counter",
    "The week at Lindgren: your ideas from the suggestion box",
    "The week at Lindgren: semla day, and the winners",
    "The week at Lindgren: how the night shift works",
    "The week at Lindgren: a customer writes us a letter",
    "The week at Lindgren: safety week in pictures",
    "The week at Lindgren: the canteen asks what you like",
    "The week at Lindgren: an apprentice and her first fair",
    "The week at Lindgren: spring cleaning with a forklift",
    "The week at Lindgren: the Easter quiz",
    "The week at Lindgren: from desk to bench, a change of job",
    "The week at Lindgren: our new delivery bikes",
    "The week at Lindgren: Valborg, and a long weekend",
    "The week at Lindgren: what our customers rate best",
    "The week at Lindgren: the Stockholm showroom opens",
    "The week at Lindgren: bring your children to work",
    "The week at Lindgren: three people, one chair, one prize",
    "The week at Lindgren: repair instead of replace",
    "The week at Lindgren: ready for Midsummer",
    "The week at Lindgren: summer hours, and who is where",
    "The week at Lindgren: holiday reading",
    "The week at Lindgren: postcards from you",
    "The week at Lindgren: the half-year in ten pictures",
    "The week at Lindgren: who waters the plants",
    "The week at Lindgren: the quiet weeks in the warehouse",
    "The week at Lindgren: a bench made of offcuts",
    "The week at Lindgren: back soon, and what waits for you",
    "The week at Lindgren: welcome back, and the crayfish party",
    "The week at Lindgren: new faces after the summer",
    "The week at Lindgren: the catalog goes to print",
    "The week at Lindgren: our first customer in Norway",
    "The week at Lindgren: what the autumn survey will ask",
    "The week at Lindgren: the mushroom map",
    "The week at Lindgren: a truck that makes no noise",
    "The week at Lindgren: three ways to use less cardboard",
    "The week at Lindgren: the choir looks for tenors",
    "The week at Lindgren: open house in Göteborg",
    "The week at Lindgren: an hour with the accountants",
    "The week at Lindgren: the dock door is repaired",
    "The week at Lindgren: why we count every screw",
    "The week at Lindgren: winter tires and warm jackets",
    "The week at Lindgren: a furniture maker retires",
    "The week at Lindgren: the canteen has listened",
    "The week at Lindgren: Black Friday, calmly",
    "The week at Lindgren: the first parcel by bike to Uppsala",
    "The week at Lindgren: Lucia, and who sings",
    "The week at Lindgren: ready for Christmas",
    "The week at Lindgren: the year in twelve stories",
  ],
  links: ["/news/week", "/news/people", "/canteen/menu", "/ideas", "/calendar", "/jobs"],
};

const executiveUpdate: RecurringCampaign = {
  team: "Executive Office",
  tag: { name: "CEO update", color: "#E15759" },
  mailbox: "astrid",
  everyWeeks: 4,
  weekday: 2,
  hour: 0,
  audience: [0],
  sendingType: "Timezone",
  appeal: 0.76,
  clicks: 0.16,
  reads: [0.14, 0.4],
  survey: {
    kind: "enps",
    id: "workplace",
    question: "How likely are you to recommend Lindgren & Sons as a place to work?",
    everyNth: 1,
    share: 0.3,
  },
  subjects: [
    "A note from Astrid: what we do this year",
    "A note from Astrid: the numbers, good and bad",
    "A note from Astrid: what you told me in the survey",
    "A note from Astrid: why we stay a family company",
    "A note from Astrid: we are hiring again",
    "A note from Astrid: one mistake, and what we learned",
    "A note from Astrid: thank you, and have a good summer",
    "A note from Astrid: back from the road",
    "A note from Astrid: Göteborg grows",
    "A note from Astrid: fewer meetings",
    "A note from Astrid: our plan for the autumn",
    "A note from Astrid: prices, and what they mean for us",
    "A note from Astrid: a good year ends",
  ],
  links: ["/plan", "/results", "/ask-astrid", "/values"],
};

const benefits: RecurringCampaign = {
  team: "Human Resources",
  tag: { name: "Benefits", color: "#59A14F" },
  mailbox: "people",
  everyWeeks: 3,
  weekday: 3,
  hour: 2,
  audience: [0],
  sendingType: "Scheduled",
  appeal: 0.57,
  clicks: 0.34,
  reads: [0.26, 0.6],
  survey: {
    kind: "pulse",
    id: "useful",
    question: "Was this information useful to you?",
    everyNth: 2,
    share: 0.18,
  },
  subjects: [
    "Your pension in five minutes",
    "The wellness allowance: use it before it ends",
    "Parental leave, explained",
    "Your salary review: dates and questions",
    "Bikes at half the price",
    "Vaccination at work: book a time",
    "How to take your holidays",
    "Insurance: what we pay for you",
    "Glasses for screen work",
    "Flexible hours: new rules",
    "Lunch for less",
    "A day off for volunteering",
  ],
  links: ["/benefits/pension?from=mail", "/benefits/book", "/benefits/all", "/people/contact"],
};

const training: RecurringCampaign = {
  team: "Human Resources",
  tag: { name: "Training", color: "#EDC948" },
  mailbox: "learning",
  everyWeeks: 4,
  weekday: 1,
  hour: 2,
  audience: [0, 3],
  sendingType: "Scheduled",
  appeal: 0.44,
  clicks: 0.22,
  reads: [0.34, 0.7],
  survey: {
    kind: "pulse",
    id: "interested",
    question: "Would you like to take part?",
    everyNth: 1,
    share: 0.12,
  },
  subjects: [
    "Forklift licence: six places left",
    "Swedish for colleagues from abroad",
    "First aid: refresh it in two hours",
    "Excel without tears",
    "How to give feedback",
    "Lead your first team",
    "Lift and carry: mind your back",
  ],
  links: ["/courses/book", "/courses", "/courses/online"],
};

const security: RecurringCampaign = {
  team: "IT",
  tag: { name: "Security", color: "#B07AA1" },
  mailbox: "it",
  everyWeeks: 4,
  weekday: 4,
  hour: 1,
  audience: [0],
  sendingType: "Scheduled",
  appeal: 0.47,
  clicks: 0.12,
  reads: [0.38, 0.74],
  subjects: [
    "Phishing of the month: the parcel that was never sent",
    "Phishing of the month: “Astrid” needs gift cards",
    "New sign-in for everyone: do this before Friday",
    "Phishing of the month: an invoice from nowhere",
    "Your phone needs an update",
    "Phishing of the month: a voice that sounds like mine",
  ],
  links: ["/it/report-phishing", "/it/sign-in", "/it/help"],
};

const maintenance: RecurringCampaign = {
  team: "IT",
  tag: { name: "Maintenance", color: "#79706E" },
  mailbox: "it",
  everyWeeks: 6,
  weekday: 4,
  hour: 6,
  audience: [0, 3],
  sendingType: "Immediate",
  appeal: 0.38,
  clicks: 0.05,
  reads: [0.52, 0.85],
  subjects: [
    "Orders are offline on Saturday from 06:00 to 09:00",
    "The telephone system moves on Sunday",
    "Printers in Göteborg: back on Monday",
    "Scanners in the warehouse restart tonight",
  ],
  links: ["/it/status", "/it/help"],
};

const product: RecurringCampaign = {
  team: "Sales",
  tag: { name: "Product", color: "#F28E2B" },
  mailbox: "catalog",
  everyWeeks: 2,
  weekday: 2,
  hour: 3,
  audience: [-2],
  sendingType: "Scheduled",
  appeal: 0.6,
  clicks: 0.41,
  reads: [0.2, 0.5],
  subjects: [
    "New in the catalog: shelves that need no screws",
    "New in the catalog: oak from Småland",
    "What to say when they ask about delivery times",
    "New in the catalog: lamps for long evenings",
    "Prices from the first of the month",
    "New in the catalog: the chair that won",
    "Ten questions from the fair, answered",
    "New in the catalog: everything for a balcony",
  ],
  links: ["/catalog/new", "/catalog/prices", "/sales/answers", "/sales/samples"],
};

const offices: RecurringCampaign = {
  team: "Facilities",
  tag: { name: "Offices", color: "#76B7B2" },
  mailbox: "house",
  everyWeeks: 5,
  weekday: 1,
  hour: 1,
  audience: [0, 1],
  sendingType: "Immediate",
  appeal: 0.46,
  clicks: 0.09,
  reads: [0.42, 0.78],
  subjects: [
    "The lift is repaired on Tuesday",
    "New coffee machines on the second floor",
    "Parking: please read before Monday",
    "Quiet rooms: how to book one",
    "Fire drill on Thursday",
  ],
  links: ["/house/rooms", "/house/parking", "/house/report"],
};

export const series: readonly RecurringCampaign[] = [
  newsletter,
  executiveUpdate,
  benefits,
  training,
  security,
  maintenance,
  product,
  offices,
];

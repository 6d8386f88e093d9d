// Ten kinds of clients, by what they send by habit. Each means what the plain arguments mean.

type Input = Record<string, unknown>;

const optional = ["team", "tags", "from", "sending_type", "group", "surveys", "subject_words", "traffic"];
const texts = ["period", "from", "until", "team", "tags", "group", "sending_type", "subject_words"];

const filled = (value: unknown) => (input: Input, accepted: readonly string[]) => ({
  ...Object.fromEntries(optional.filter((name) => accepted.includes(name)).map((name) => [name, value])),
  ...input,
});
const mapped = (change: (value: unknown, name: string) => unknown) => (input: Input) =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, change(value, name)]));
const eachText = (change: (text: string) => string) =>
  mapped((value) =>
    typeof value === "string"
      ? change(value)
      : Array.isArray(value)
        ? value.map((each) => (typeof each === "string" ? change(each) : each))
        : value,
  );

/** @param accepted the names that the tool takes */
type Habit = (input: Input, accepted: readonly string[]) => Input;

/** Sources: openai-agents, CrewAI, LangFlow and n8n as reported in their issues; see `src/http/mcp/read-arguments.ts`. */
export const clientHabits: Readonly<Record<string, Habit>> = {
  "null for each missing argument": filled(null),
  "empty text for each missing argument": filled(""),
  "an empty list for each missing argument": (input, accepted) => ({
    ...(accepted.includes("tags") && { tags: [] }),
    ...input,
  }),
  "numbers and booleans as text": mapped((value) =>
    ["number", "boolean"].includes(typeof value) ? String(value) : value,
  ),
  "lists as JSON": mapped((value) => (Array.isArray(value) ? JSON.stringify(value) : value)),
  "lists with commas": mapped((value) => (Array.isArray(value) ? value.join(", ") : value)),
  "names in capitals": eachText((text) => text.toUpperCase()),
  "choices as words": mapped((value, name) =>
    typeof value === "string" && !texts.includes(name) ? ` ${value.replaceAll("_", " ")} ` : value,
  ),
  "names of its own": (input) => ({
    ...input,
    toolCallId: "call_0BCI",
    sessionId: "x",
    action: "sendMessage",
    chatInput: "Which?",
  }),
  "empty entries in lists": mapped((value) => (Array.isArray(value) ? [null, ...value, ""] : value)),
};

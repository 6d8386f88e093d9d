// Reads the instructions that the project's Dockerfile uses (docs.docker.com/reference/dockerfile).

export interface Instruction {
  name: string;
  text: string;
}

export interface Stage {
  /** The image that the stage starts from. */
  from: string;
  name: string;
  instructions: Instruction[];
}

/** What a container runs, and how. */
export interface ImageConfig {
  environment: Record<string, string>;
  user: string;
  folder: string;
  volumes: string[];
  ports: string[];
  command: string[];
  healthCheck: string[];
  stopSignal: string;
}

/** @throws Error if an instruction comes before the first FROM */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  const lines = text.replaceAll(/^\s*#.*\n/gm, "").replaceAll(/\\\n\s*/g, "");
  for (const [, name = "", rest = ""] of lines.matchAll(/^([A-Z]+) +(.*)$/gm)) {
    if (name === "FROM") {
      const [from = "", , as] = rest.split(/ +/);
      stages.push({ from, name: as ?? `stage-${stages.length}`, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage) throw new Error(`${name} comes before FROM`);
    stage.instructions.push({ name, text: rest });
  }
  return stages;
}

/** The arguments of an instruction, which are a JSON array or words. */
export function argumentsOf(text: string): string[] {
  return text.startsWith("[") ? JSON.parse(text) : text.split(/ +/);
}

export function environmentOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(/ +/).map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]),
  );
}

export function imageConfigOf({ instructions }: Stage): ImageConfig {
  const all = (name: string) => instructions.filter((each) => each.name === name).map(({ text }) => text);
  const last = (name: string) => all(name).at(-1) ?? "";
  return {
    environment: Object.assign({}, ...all("ENV").map(environmentOf)),
    user: last("USER"),
    folder: last("WORKDIR"),
    volumes: all("VOLUME").flatMap(argumentsOf),
    ports: all("EXPOSE").flatMap(argumentsOf),
    command: [...argumentsOf(last("ENTRYPOINT")), ...argumentsOf(last("CMD"))],
    healthCheck: argumentsOf(last("HEALTHCHECK").replace(/^.*? CMD /, "")),
    stopSignal: last("STOPSIGNAL"),
  };
}

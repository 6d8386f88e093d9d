// A served organization with signed-in users, without a browser.

import type { Role } from "../../src/access/role.ts";
import type { Organization } from "../../src/storage/organizations/organizations.ts";
import { startSession, type UserSession } from "./user-session.ts";
import { type Cleanup, makeWorld, type ServedWith, type Service, serve, type World } from "./world.ts";

export interface WebWorld {
  world: World;
  service: Service;
  organization: Organization;
  /** A key with the scope `read`, and one with the scope `ingest`. */
  key: string;
  ingestKey: string;
  /** Adds a user, of this organization by default, and signs them in. */
  signIn(role: Role, options?: { email?: string; organization?: Organization }): Promise<SignedInClient>;
}

export interface SignedInClient extends UserSession {
  get(path: string): Promise<PageResponse>;
  /** The text of a page, or of its file, which must answer 200; by default in English. */
  read(path: string, language?: string): Promise<string>;
  /** Submits a form of a page. Does not follow redirects. */
  post(path: string, action: string, fields?: Record<string, string | File>): Promise<PageResponse>;
}

export interface PageResponse {
  status: number;
  text: string;
  headers: Headers;
  /** Where a redirect leads. */
  location: string | null;
  /** The notice that the next page shows. */
  notice: string;
}

export async function makeWebWorld(
  test: Cleanup,
  { timeZone = "UTC", ...served }: ServedWith & { timeZone?: string } = {},
): Promise<WebWorld> {
  const world = await makeWorld(test);
  const { organization, key, ingestKey } = await world.addOrganization({ timeZone });
  const service = await serve(test, world, { publicUrl: () => "http://127.0.0.1", ...served });
  let users = 0;
  return {
    world,
    service,
    organization,
    key,
    ingestKey,
    async signIn(role, { email = `${role}-${++users}@example.com`, organization: of = organization } = {}) {
      const session = await startSession(world.database, of.id, { email, role, now: world.clock.now });
      const { cookie, csrfToken } = session;
      const send = (path: string, fields?: Record<string, string | File>) =>
        requestPage(service.url + path, { cookie, fields });
      return {
        ...session,
        get: (path) => send(path),
        read: async (path, language) => {
          const headers = { ...(language !== undefined && { "accept-language": language }) };
          const { status, text } = await requestPage(service.url + path, { cookie, headers });
          if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
          return text;
        },
        post: (path, action, fields = {}) => send(path, { form_token: csrfToken, action, ...fields }),
      };
    },
  };
}

/** Serves an organization, and signs in a user of this role, who has its name. */
export async function makeWebWorldOf<Name extends Role>(
  role: Name,
  test: Cleanup,
  served: Parameters<typeof makeWebWorld>[1] = {},
): Promise<WebWorld & Record<Name, SignedInClient>> {
  const web = await makeWebWorld(test, served);
  return { ...web, ...({ [role]: await web.signIn(role) } as Record<Name, SignedInClient>) };
}

/** With a file, the form is sent in parts. */
function toBody(fields: Record<string, string | File>): URLSearchParams | FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const hasFile = Object.values(fields).some((value) => value instanceof File);
  return hasFile ? body : new URLSearchParams(fields as Record<string, string>);
}

/** Requests a page as a browser does. With fields it submits a form. */
export async function requestPage(
  url: string,
  {
    cookie,
    fields,
    headers = {},
  }: {
    cookie?: string | undefined;
    fields?: Record<string, string | File> | undefined;
    headers?: Record<string, string>;
  } = {},
): Promise<PageResponse> {
  const response = await fetch(url, {
    redirect: "manual",
    headers: { connection: "close", ...(cookie !== undefined && { cookie }), ...headers },
    ...(fields && { method: "POST", body: toBody(fields) }),
  });
  const set = response.headers.getSetCookie().find((each) => /^(__Host-)?ea_notice=[^;]/.test(each));
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    location: response.headers.get("location"),
    notice: decodeURIComponent(/=([^;]*)/.exec(set ?? "")?.[1] ?? ""),
  };
}

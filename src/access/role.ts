// What a person who signs in may do: viewers see numbers, tags and comments without names, admins also keys and people, and change things.

export const roles = ["viewer", "admin"] as const;
export type Role = (typeof roles)[number];

/** What each is called where one is chosen, and in a sentence. */
export const roleTitles: Readonly<Record<Role, string>> = { viewer: "Viewer", admin: "Admin" };
export const roleNouns: Readonly<Record<Role, string>> = { viewer: "a viewer", admin: "an admin" };

/** Whether somebody of one role may do what another one is needed for. */
export function hasPermission(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

// What a person who signs in may do: viewers see numbers and tags, admins also keys and people, and change things.

export const roles = ["viewer", "admin"] as const;
export type Role = (typeof roles)[number];

/** Whether somebody of one role may do what another one is needed for. */
export function mayAct(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

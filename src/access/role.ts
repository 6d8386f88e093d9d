// Roles of users and their permissions. Viewers see numbers, tags, and comments without names. Admins also see keys,
// users and names, and change settings.

export const roles = ["viewer", "admin"] as const;
export type Role = (typeof roles)[number];

/** The role with its article, for use in a sentence. */
export const roleNouns: Readonly<Record<Role, string>> = { viewer: "a viewer", admin: "an admin" };

/** Whether a role has the permissions of another: each role includes those before it. */
export function hasPermission(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}

// Teams and other texts as pages tell them apart.

/** Longer texts of one campaign would take too much memory. */
const teamKeyLength = 200;

/** The first {@link teamKeyLength} characters of a team. */
export function teamKeyOf(team: string): string {
  return team.length > teamKeyLength ? [...team].slice(0, teamKeyLength).join("") : team;
}

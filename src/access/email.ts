// Email addresses of users: their form, and how they are compared.

/** The form in which emails are stored and compared. */
export function normalizeEmail(email: string): string {
  // No stored email is longer, and normalizing a very long one could take seconds.
  return email.slice(0, maxEmailLength).trim().toLowerCase().normalize("NFC");
}

const maxEmailLength = 1_000;

/** A normalized email; undefined if the text is not an email address. */
export function readEmail(text: string): string | undefined {
  const email = normalizeEmail(text);
  return email.length <= 254 && email.isWellFormed() && emailShape.test(email) ? email : undefined;
}

const emailShape = /^[^\s\p{C}@<>()[\]",;:\\]+@[^\s\p{C}\p{P}]([^\s\p{C}@<>()[\]",;:\\/]*[^\s\p{C}\p{P}])?$/u;

// Texts of signing in, with a password or a company account, and of invite links.

export const signInStrings = {
  title: "Sign in",
  email: "Email",
  password: "Password",
  submit: "Sign in",
  withCompanyAccount: "Sign in with your company account",
  noPassword: "No password, or forgotten? Ask an admin of your organization for an invite link.",
  wrongCredentials: "Wrong email or password. Try again.",
  tooManyAttempts: (wait: string) => `Too many failed attempts. Try again ${wait}.`,
  signedOut: "You are signed out.",
  demoClient: "Demo link",

  // Invite link
  choosePasswordTitle: "Choose a password",
  newPassword: "New password",
  repeatPassword: "Repeat password",
  passwordHint: (min: number) => `At least ${min} characters. A few words in a row are easy to remember.`,
  passwordsDiffer: "The passwords do not match. Type both again.",
  setPassword: "Set password and sign in",
  welcome: "Welcome! Your password is set, and you are signed in.",
  inviteLinkInvalidTitle: "This invite link is no longer valid",
  inviteLinkInvalid:
    "It was already used, replaced by a newer one, or has expired. Ask an admin of your organization for a new invite link.",

  // OpenID Connect
  failedTitle: "Sign-in failed",
  backToSignIn: "Back to the sign-in page",
  openIdExpired: "The sign-in was started in another browser, or more than ten minutes ago.",
  openIdNoEmail: "Your company account has no verified email address.",
  openIdUnknownUser:
    "You are not a user of this service. Ask an admin of your organization to add the email address of your company account.",
  openIdInvalid: "The sign-in was canceled, or your company's sign-in service sent an invalid response.",
  openIdUnavailable: "Your company's sign-in service is not responding as expected. Try again shortly.",
};

// Every text that readers of messages see, in one place, so that it can be reviewed and translated.

/** Also the limit of the `comment` field of an event. */
export const maxCommentLength = 10_000;

export const readerTexts = {
  yourRating: "Your rating",
  lowestRating: "0: not at all likely",
  highestRating: "10: extremely likely",
  yourAnswer: "Your answer:",
  comment: "Is there anything you would like to add?",
  submit: "Send my answer",
  ratingMissing: "Please choose a rating from 0 to 10.",
  commentTooLong: `Your comment is too long. Please shorten it to ${maxCommentLength} characters.`,
  sentFromElsewhere:
    "Your answer was sent from another page. Please choose your answer here and send it again.",
  tooManyAnswers: "Many answers have come from your network. Please try again in an hour.",
  notSaved: "Your answer could not be saved just now. Please try again in a moment.",
  thanks: { title: "Thank you", text: "Your answer has been saved. You can close this page." },
  surveyEnded: {
    title: "This survey has ended",
    text: "We no longer accept answers. Thank you for your interest.",
  },
  brokenLink: {
    title: "This link does not work",
    text: "It is damaged or no longer valid. Please go back to the message and try again from there.",
  },
} as const;

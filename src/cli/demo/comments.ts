// What readers of the demo's campaigns write, by the rating that they give.

export const enpsComments = {
  detractor: [
    "Third reorganization in two years. We in the warehouse hear about it last.",
    "The new shift plan came out on a Friday evening. Please don't do that again.",
    "I like my team. I don't see where the company is heading.",
    "Nice words, but my ticket about the broken dock door is from March.",
    "Still no answer about the salary review.",
    "Too many tools, too many passwords, too little time for customers.",
    "Göteborg always seems to be an afterthought in these updates.",
    "My manager is great. Her manager I have never met.",
    "You asked for ideas in spring. What became of them?",
    "The canteen closes before the late shift begins. Every single day.",
    "För mycket övertid i höst, det håller inte i längden.",
  ],
  passive: [
    "Good place to work, but the commute to the new office costs me an hour a day.",
    "Fine overall. More on what the other sites do would help.",
    "Bra jobb, men lönen ligger efter.",
    "Better than last year. The new scanners help a lot.",
    "Ask me again after the move.",
    "I would say nine if the heating in hall 2 worked.",
    "Happy here. Would be happier with two days from home.",
    "Interesting, but please send it before the coffee break, not after.",
    "More flexible hours would make this a nine.",
  ],
  promoter: [
    "I recommended us to a friend last month. She starts on Monday.",
    "Best team I have worked in. Tack, Ingrid!",
    "You said what went wrong and what happens next. That is rare.",
    "The apprenticeship changed my life, honestly.",
    "Astrid answered my question in person. Still impressed.",
    "More stories about the night shift, please. It was the first time that we were asked.",
    "Parental leave was handled so well that I told everyone.",
    "Hall 2 has heating again. Small thing, big difference. Thank you!",
    "I moved from sales to the workshop, and everybody helped.",
    "Roligt att läsa varje fredag. 🙂",
    "The delivery bikes are the best idea in years.",
  ],
} as const;

export const pulseAnswers = ["Yes", "Partly", "No"] as const;

export const pulseComments = {
  Yes: [
    "Finally I understand how this works.",
    "Booked at once, thank you!",
    "Short and clear. Keep it like this.",
    "The link to the form saved me a phone call.",
  ],
  Partly: [
    "What about part-time staff?",
    "Good, but the form asks for a number that I don't have.",
    "Could we have this in English and Swedish?",
  ],
  No: [
    "Not for people who work on the floor without a computer.",
    "All places were gone when I clicked.",
    "Too long. I stopped at the table.",
  ],
} as const;

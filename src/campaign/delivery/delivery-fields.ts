// The table of delivery fields: how many messages were sent, arrived and came back, and the rates of that. Feeds, imports,
// sums and pages follow from it.

const count = {
  type: "integer",
  unit: "count",
  nullMeans: "Nothing reports it, or the import has no value.",
  since: 3,
} as const;

/** The counts that imports may have too. */
export const deliveryCounts = {
  sent: {
    ...count,
    title: "Sent",
    description: "Messages that were sent: the recipients without the suppressed ones.",
    definition:
      "The recipients without the suppressed ones, all of them if suppressed is null. An import may have another number.",
    example: 99,
  },
  delivered: {
    ...count,
    title: "Delivered",
    description: "Recipients whose server accepted the message and did not return it as a hard bounce later.",
    example: 98,
  },
  bounced: {
    ...count,
    title: "Bounced",
    description: "Hard and soft bounces.",
    formula: "bounced_hard + bounced_soft",
    appliesTo: ["counted"],
    example: 1,
  },
  bounced_hard: {
    ...count,
    title: "Hard bounces",
    description: "Recipients whose address cannot receive.",
    example: 1,
  },
  bounced_soft: {
    ...count,
    title: "Soft bounces",
    description: "Recipients whose address may work, but who never got this message.",
    example: 0,
  },
  suppressed: {
    ...count,
    title: "Suppressed",
    description:
      "Recipients to whom the provider did not send, because of a suppression list. They are no bounces.",
    example: 1,
  },
  unsubscribed: {
    ...count,
    title: "Unsubscribed",
    description: "Recipients who unsubscribed with this message.",
    example: 0,
  },
  complained: {
    ...count,
    title: "Spam complaints",
    description: "Recipients who reported the message as spam. Gmail reports none to providers.",
    example: 0,
  },
} as const;

export type DeliveryCount = keyof typeof deliveryCounts;
export const deliveryCountNames = Object.keys(deliveryCounts) as DeliveryCount[];

const rate = {
  type: "number",
  unit: "fraction",
  nullMeans: "A count is not known or nothing to divide by, or too few recipients have an outcome yet.",
  rounding: "4 decimals",
  since: 3,
} as const;

/** The rates, each with its counts. A part is never more than the whole. */
export const deliveryRates = {
  delivery_rate: {
    ...rate,
    title: "Delivery rate",
    description: "Share of the sent messages that were delivered.",
    part: "delivered",
    denominator: "sent",
    example: 0.9899,
  },
  bounce_rate: {
    ...rate,
    title: "Bounce rate",
    description: "Share of the sent messages that bounced.",
    part: "bounced",
    denominator: "sent",
    example: 0.0101,
  },
  unsubscribe_rate: {
    ...rate,
    title: "Unsubscribe rate",
    description: "Share of the delivered messages whose recipients unsubscribed.",
    part: "unsubscribed",
    denominator: "delivered",
    example: 0,
  },
  complaint_rate: {
    ...rate,
    title: "Complaint rate",
    description: "Share of the delivered messages that were reported as spam.",
    part: "complained",
    denominator: "delivered",
    rounding: "6 decimals",
    example: 0,
  },
  open_rate_of_delivered: {
    ...rate,
    title: "Open rate of delivered",
    description:
      "Share of the delivered messages that were opened, as most email tools define their open rate.",
    part: "unique_opens",
    denominator: "delivered",
    example: 0.5,
  },
} as const;

export type DeliveryRate = keyof typeof deliveryRates;
export const deliveryRateNames = Object.keys(deliveryRates) as DeliveryRate[];

// Amazon SES: one event a message of Amazon SNS
// (docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html).

import {
  campaignOf,
  composedId,
  fieldOf,
  fieldsOf,
  ipOf,
  isFields,
  parseJson,
  userAgentOf,
} from "./fields.ts";
import type { Fields, Provider } from "./provider.ts";
import { admitFromTopic, faultOfTopic } from "./sns.ts";

/** What SES publishes when it is given the topic, as the only text that is no JSON. */
const notice = "Successfully validated SNS topic";

export const ses: Provider = {
  title: "Amazon SES",
  secret: {
    isNeeded: false,
    meaning:
      "the ARN of the SNS topic, so that messages of no other topic are taken, not even of another AWS account",
    faultOf: faultOfTopic,
  },
  bodyBytesMax: 1024 * 1024,
  carrier:
    "message tags (`EmailTags`, or the header `X-SES-MESSAGE-TAGS`), or a header of the message that is named like the field",
  admit: admitFromTopic,
  parse(body) {
    const { Message: text } = fieldsOf(parseJson(body));
    if (typeof text !== "string") throw new Error("the message of SNS has no text");
    return text.startsWith(notice) ? {} : parseJson(Buffer.from(text));
  },
  listOf: (document) => (isFields(document) ? [document] : undefined),
  read(given, campaignField) {
    const { eventType } = given;
    if (eventType !== "Open" && eventType !== "Click") return [];
    const mail = fieldsOf(given.mail);
    const {
      timestamp: at,
      link,
      userAgent,
      ipAddress,
    } = fieldsOf(eventType === "Open" ? given.open : given.click);
    const recipient = recipientOf(mail);
    const { messageId: message } = mail;
    const base = {
      // What can be said of nobody is no event of the campaign.
      campaign_id: isToSeveral(mail)
        ? undefined
        : campaignOf(
            fieldOf(fieldsOf(mail.tags), campaignField),
            headerOf(mail, campaignField),
            fieldOf(mail, campaignField),
          ),
      // SNS has an id for what it sends, but another one when the same event comes by another topic or destination.
      id:
        typeof message === "string"
          ? composedId(message, recipient, eventType, at, link, ipAddress, userAgent)
          : message,
      recipient,
      at,
      user_agent: userAgentOf(userAgent),
      ip: ipOf(ipAddress),
    };
    return [eventType === "Open" ? { ...base, type: "open" } : { ...base, type: "click", url: link }];
  },
};

/** All that a message went to have the same pixel and the same links: of several, nobody knows who it was. */
function recipientOf({ destination }: Fields): unknown {
  return Array.isArray(destination) ? destination[0] : destination;
}

function isToSeveral({ destination }: Fields): boolean {
  return Array.isArray(destination) && destination.length > 1;
}

function headerOf({ headers }: Fields, campaignField: string): unknown {
  if (!Array.isArray(headers)) return undefined;
  const found = headers.find((header) => {
    const { name } = fieldsOf(header);
    return typeof name === "string" && name.toLowerCase() === campaignField.toLowerCase();
  });
  return fieldsOf(found).value;
}

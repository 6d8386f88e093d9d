// How each provider reports what became of a message: its published examples with a campaign, and the outcome. Undefined: it
// says nothing about the end of the message.

import type { MessageOutcome } from "../../../src/campaign/events/outcomes.ts";
import type { JsonObject } from "../../../src/providers/json-object.ts";
import type { ProviderName } from "../../../src/providers/providers.ts";
import { times } from "./brevo.ts";
import { open as mailgunOpen } from "./mailgun.ts";
import { message as mandrillMessage } from "./mandrill.ts";
import { open as resendOpen } from "./resend.ts";
import { mail } from "./ses.ts";
import { secondsAt } from "./sparkpost.ts";

export type OutcomeExample = readonly [event: JsonObject, outcome: MessageOutcome | undefined];

/** learn.microsoft.com/azure/event-grid/communication-services-email-events; Suppressed names only the sender. */
const azure = (status: string, data: object = {}): JsonObject => ({
  id: `azure-${status}`,
  eventType: "Microsoft.Communication.EmailDeliveryReportReceived",
  data: {
    sender: "senderid@azure.com",
    recipient: "receiver@azure.com",
    messageId: "00000000-0000-0000-0000-000000000000",
    internetMessageId: "<campaign_id.1.9f0728f0-338f-454b-b3a2-ca0e924518e9@azure.com>",
    status,
    deliveryAttemptTimeStamp: "2026-06-15T11:05:20.2855749Z",
    ...data,
  },
});

/** developers.brevo.com/docs/transactional-webhooks. */
const brevo = (event: string): JsonObject => ({
  event,
  email: "example@domain.com",
  id: 948562,
  ...times(),
  "message-id": "<201798300811.5787683@relay.domain.com>",
  "X-Mailin-custom": '{"campaign_id": "1"}',
  reason: "server is down",
  sending_ip: "203.0.113.7",
});

/** documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads. */
const mailgun = (event: string, given: object = {}): JsonObject => {
  const { "client-info": _client, ip: _ip, ...message } = mailgunOpen;
  return { ...message, event, ...given };
};

/** mandrill.zendesk.com/hc/en-us/articles/205583307-Message-Event-Webhook-format. */
const mandrill = (event: string): JsonObject => ({
  event,
  msg: mandrillMessage,
  _id: mandrillMessage._id,
  ts: 1_781_521_500,
});

/** postmarkapp.com/developer/webhooks/bounce-webhook and the pages beside it. */
const postmark = (RecordType: string, given: object): JsonObject => ({
  RecordType,
  MessageID: "00000000-0000-0000-0000-000000000000",
  Metadata: { campaign_id: "1" },
  Tag: "welcome-email",
  ...given,
});
const postmarkBounce = (Type: string) =>
  postmark("Bounce", {
    ID: 42,
    Type,
    Email: "john@example.com",
    BouncedAt: "2026-06-15T11:05:00Z",
    Inactive: true,
  });
const postmarkChange = (given: object) =>
  postmark("SubscriptionChange", {
    Recipient: "john@example.com",
    ChangedAt: "2026-06-15T11:05:00Z",
    Origin: "Recipient",
    SuppressSending: true,
    SuppressionReason: "ManualSuppression",
    ...given,
  });

/** resend.com/docs/webhooks/emails/bounced and the pages beside it. */
const resend = (type: string, given: object = {}): JsonObject => ({
  ...resendOpen,
  type,
  data: { ...resendOpen.data, ...given },
});
const resendBounce = (type: string, subType: string) =>
  resend("email.bounced", { bounce: { message: "The recipient's email address…", type, subType } });

/** twilio.com/docs/sendgrid/for-developers/tracking-events/event. */
const sendgrid = (event: string, given: object = {}): JsonObject => ({
  email: "example@test.com",
  timestamp: 1_781_521_500,
  event,
  sg_event_id: `id-${event}-${JSON.stringify(given)}`,
  campaign_id: "1",
  ...given,
});

/** docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-examples.html. */
const timestamp = "2026-06-15T11:05:19.652Z";
const ses = (eventType: string, details: object): JsonObject => ({
  eventType,
  mail,
  [eventType.toLowerCase()]: details,
});
const sesBounce = (bounceType: string, bounceSubType: string) =>
  ses("Bounce", {
    bounceType,
    bounceSubType,
    bouncedRecipients: [{ emailAddress: "recipient@example.com", action: "failed", status: "5.1.1" }],
    timestamp,
    feedbackId: "01000157c44f053b-61b59c11-9236-11e6-8f96-7be8aexample-000000",
  });
const sesComplaint = (given: object) =>
  ses("Complaint", {
    complainedRecipients: [{ emailAddress: "recipient@example.com" }],
    timestamp,
    feedbackId: "01000157c44f917b-75bc2eb1-9236-11e6-9e1e-example-000000",
    complaintFeedbackType: "abuse",
    ...given,
  });
const sesSubscription = (topic: string) =>
  ses("Subscription", {
    contactList: "ContactListName",
    timestamp,
    source: "UnsubscribeHeader",
    newTopicPreferences: {
      unsubscribeAll: topic === "all",
      topicSubscriptionStatus: [{ topicName: "ExampleTopicName", subscriptionStatus: topic }],
    },
  });

/** developers.sparkpost.com/api/webhooks, and support.sparkpost.com for the classes of bounces. */
const sparkpost = (envelope: string, type: string, given: object = {}): JsonObject => ({
  msys: {
    [envelope]: {
      type,
      event_id: `${type}-${JSON.stringify(given)}`,
      rcpt_meta: { campaign_id: "1" },
      rcpt_to: "recipient@example.com",
      timestamp: secondsAt(),
      ...given,
    },
  },
});
const sparkpostBounce = (bounce_class: string, type = "bounce") =>
  sparkpost("message_event", type, { bounce_class, error_code: "550" });

export const outcomeExamples: Readonly<Record<ProviderName, readonly OutcomeExample[]>> = {
  azure: [
    [azure("Delivered"), "delivered"],
    [azure("Bounced"), "bounced_hard"],
    [azure("Failed"), "bounced_soft"],
    [azure("FilteredSpam"), "bounced_soft"],
    [azure("Quarantined"), "bounced_soft"],
    [azure("Suppressed"), "suppressed"],
    [azure("Unknown"), "bounced_soft"],
    [azure("Expanded"), undefined],
    [azure("OutForDelivery"), undefined],
  ],
  brevo: [
    [brevo("delivered"), "delivered"],
    [brevo("hard_bounce"), "bounced_hard"],
    [brevo("invalid_email"), "bounced_hard"],
    [brevo("soft_bounce"), "bounced_soft"],
    [brevo("blocked"), "suppressed"],
    [brevo("error"), "suppressed"],
    [brevo("unsubscribed"), "unsubscribed"],
    [brevo("spam"), "complained"],
    [brevo("complaint"), "complained"],
    [brevo("deferred"), undefined],
    [brevo("request"), undefined],
  ],
  mailgun: [
    [mailgun("delivered"), "delivered"],
    [mailgun("failed", { severity: "permanent", reason: "bounce" }), "bounced_hard"],
    [mailgun("failed", { severity: "permanent", reason: "old" }), "bounced_soft"],
    [mailgun("failed", { severity: "permanent", reason: "suppress-bounce" }), "suppressed"],
    [mailgun("failed", { severity: "permanent" }), "bounced_soft"],
    [mailgun("failed", { severity: "temporary", reason: "generic" }), undefined],
    [mailgun("unsubscribed"), "unsubscribed"],
    [mailgun("complained"), "complained"],
    [mailgun("accepted"), undefined],
  ],
  mandrill: [
    [mandrill("delivered"), "delivered"],
    [mandrill("hard_bounce"), "bounced_hard"],
    [mandrill("soft_bounce"), "bounced_soft"],
    [mandrill("reject"), "suppressed"],
    [mandrill("unsub"), "unsubscribed"],
    [mandrill("spam"), "complained"],
    [mandrill("send"), undefined],
    [mandrill("deferral"), undefined],
  ],
  postmark: [
    [
      postmark("Delivery", { Recipient: "john@example.com", DeliveredAt: "2026-06-15T11:05:00Z" }),
      "delivered",
    ],
    [postmarkBounce("HardBounce"), "bounced_hard"],
    [postmarkBounce("BadEmailAddress"), "bounced_hard"],
    [postmarkBounce("SoftBounce"), "bounced_soft"],
    [postmarkBounce("Blocked"), "bounced_soft"],
    [postmarkBounce("DMARCPolicy"), "bounced_soft"],
    [postmarkBounce("a new type"), "bounced_soft"],
    [postmarkBounce("ManuallyDeactivated"), "suppressed"],
    [postmarkBounce("Transient"), undefined],
    [postmarkBounce("AutoResponder"), undefined],
    [
      postmark("SpamComplaint", { Email: "john@example.com", BouncedAt: "2026-06-15T11:05:00Z" }),
      "complained",
    ],
    [postmarkChange({}), "unsubscribed"],
    [postmarkChange({ Origin: "Admin" }), undefined],
    [postmarkChange({ SuppressSending: false, SuppressionReason: null }), undefined],
    [postmarkChange({ SuppressionReason: "HardBounce" }), undefined],
  ],
  resend: [
    [resend("email.delivered"), "delivered"],
    [resendBounce("Permanent", "General"), "bounced_hard"],
    [resendBounce("Permanent", "Suppressed"), "suppressed"],
    [resendBounce("Transient", "General"), "bounced_soft"],
    [resendBounce("Undetermined", "Undetermined"), "bounced_soft"],
    [resend("email.bounced"), "bounced_soft"],
    [resend("email.suppressed"), "suppressed"],
    [resend("email.failed", { failed: { reason: "reached_daily_quota" } }), "suppressed"],
    [resend("email.complained"), "complained"],
    [resend("email.sent"), undefined],
    [resend("email.delivery_delayed"), undefined],
  ],
  sendgrid: [
    [sendgrid("delivered", { response: "250 OK" }), "delivered"],
    [
      sendgrid("bounce", { type: "bounce", status: "5.0.0", reason: "500 unknown recipient" }),
      "bounced_hard",
    ],
    [sendgrid("bounce", { type: "blocked", status: "5.7.1" }), "bounced_soft"],
    [sendgrid("bounce"), "bounced_soft"],
    [sendgrid("dropped", { reason: "Bounced Address", status: "5.0.0" }), "suppressed"],
    [sendgrid("spamreport"), "complained"],
    [sendgrid("unsubscribe"), "unsubscribed"],
    [sendgrid("group_unsubscribe", { asm_group_id: 10 }), "unsubscribed"],
    [sendgrid("group_resubscribe", { asm_group_id: 10 }), undefined],
    [sendgrid("processed"), undefined],
    [sendgrid("deferred", { response: "400 try again later", attempt: "5" }), undefined],
  ],
  ses: [
    [
      ses("Delivery", { timestamp, recipients: ["recipient@example.com"], smtpResponse: "250 2.6.0" }),
      "delivered",
    ],
    [sesBounce("Permanent", "General"), "bounced_hard"],
    [sesBounce("Permanent", "NoEmail"), "bounced_hard"],
    [sesBounce("Permanent", "Suppressed"), "suppressed"],
    [sesBounce("Permanent", "OnAccountSuppressionList"), "suppressed"],
    [sesBounce("Permanent", "OnTenantSuppressionList"), "suppressed"],
    [sesBounce("Permanent", "EmailValidationSuppressed"), "suppressed"],
    [sesBounce("Transient", "MailboxFull"), "bounced_soft"],
    [sesBounce("Undetermined", "Undetermined"), "bounced_soft"],
    [sesComplaint({}), "complained"],
    [sesComplaint({ complaintSubType: "OnAccountSuppressionList" }), "suppressed"],
    [ses("Reject", { reason: "Bad content" }), "suppressed"],
    [sesSubscription("OptOut"), "unsubscribed"],
    [sesSubscription("all"), "unsubscribed"],
    [sesSubscription("OptIn"), undefined],
    [ses("Send", {}), undefined],
    [ses("DeliveryDelay", { delayType: "TransientCommunicationFailure", timestamp }), undefined],
  ],
  sparkpost: [
    [sparkpost("message_event", "delivery"), "delivered"],
    [sparkpostBounce("10"), "bounced_hard"],
    [sparkpostBounce("30", "out_of_band"), "bounced_hard"],
    [sparkpostBounce("22"), "bounced_soft"],
    [sparkpostBounce("1"), "bounced_soft"],
    [sparkpostBounce("999"), "bounced_soft"],
    [sparkpostBounce("25"), "suppressed"],
    [sparkpostBounce("60", "out_of_band"), undefined],
    [sparkpostBounce("90", "out_of_band"), "unsubscribed"],
    [sparkpost("message_event", "policy_rejection"), "suppressed"],
    [sparkpost("gen_event", "generation_rejection"), "suppressed"],
    [sparkpost("message_event", "spam_complaint", { fbtype: "abuse" }), "complained"],
    [sparkpost("unsubscribe_event", "list_unsubscribe"), "unsubscribed"],
    [sparkpost("unsubscribe_event", "link_unsubscribe"), "unsubscribed"],
    [sparkpost("message_event", "delay"), undefined],
    [sparkpost("message_event", "injection"), undefined],
  ],
};

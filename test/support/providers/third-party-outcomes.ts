// What others received from the providers, by their public tests: the same fields as there, with a campaign, another time and
// invented addresses. Undefined: the event says nothing about the end of the message.

import type { ProviderName } from "../../../src/providers/providers.ts";
import type { OutcomeExample } from "./outcome-examples.ts";

const at = "2026-06-15T11:05:00";
const seconds = 1_781_521_500;
const email = "jane@example.com";
const refused = "550 5.1.1 The email account that you tried to reach does not exist.";

/** github.com/frappe (a report of Event Grid, as it arrived). */
const azure = (status: string, statusMessage = "") => ({
  ...{ id: `0e0df3cb-${status}`, topic: "/subscriptions/x", dataVersion: "1.0", metadataVersion: "1" },
  eventType: "Microsoft.Communication.EmailDeliveryReportReceived",
  subject: "sender/news@example.com/message/fb9e3380-428f-4e59-95a1-fc82e99a5219",
  data: {
    ...{ sender: "news@example.com", recipient: email, status },
    internetMessageId: "<campaign_id.1.13391@example.com>",
    deliveryStatusDetails: { statusMessage, recipientMailServerHostName: "mx.example.com" },
    deliveryAttemptTimestamp: `${at}.99+00:00`,
  },
  eventTime: `${at}.2532364Z`,
});

// The others are from github.com/anymail/django-anymail, tests/test_*_webhooks.py.

const brevo = (event: string, given: object = { ts_epoch: seconds * 1000 }) => ({
  ...{ event, email, "message-id": "<201803011158.9876543210@smtp-relay.mailin.fr>", tag: "header-tag" },
  ...{ "X-Mailin-custom": '{"campaign_id": "1"}', ...given },
});

const mailgun = (event: string, given: object) => ({
  ...{ event, recipient: email, timestamp: seconds + 0.389832, "log-level": "error" },
  message: { headers: { to: email, "message-id": "20180812214658.1.0DF5@example.org" } },
  "user-variables": { campaign_id: "1" },
  ...given,
});

const mandrill = (event: string, given: object) => ({
  ...{ event, _id: "abcdef012345789abcdef012345789", ts: seconds },
  msg: {
    ...{ ts: seconds - 35, subject: "Webhook Test", email, sender: "sender@example.com" },
    ...{ metadata: { campaign_id: "1" }, _id: "abcdef012345789abcdef012345789", ...given },
  },
});

const postmark = (RecordType: string, given: object) => ({
  ...{ RecordType, MessageID: "2706ee8a-737c-4285-b032-ccd317af53ed", ServerID: 23, Tag: "welcome-email" },
  ...{ Metadata: { campaign_id: "1" }, ...given },
});
const bounced = { ID: 901_542_550, Email: email, BouncedAt: "2026-06-15T07:05:00.3963933-04:00" };
const changed = { ChangedAt: `${at}Z`, Recipient: email, Origin: "Recipient", MessageStream: "outbound" };

const resend = (type: string, given: object) => ({
  ...{ type, created_at: `${at}.101Z` },
  data: {
    ...{ created_at: `${at}.001Z`, email_id: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee", to: [email] },
    ...{ from: "Sender <from@example.com>", headers: [{ name: "campaign_id", value: "1" }], ...given },
  },
});

const sendgrid = (event: string, given: object) => ({
  ...{ event, email, timestamp: seconds, sg_event_id: `lC0Rc-${event}-${JSON.stringify(given)}`, tls: 1 },
  ...{ "smtp-id": "<wrfRRvF7Q0GgwUo2CvDmEA@ismtpd0006p1sjc2.sendgrid.net>", campaign_id: "1", ...given },
});

/** Notifications of an identity have no tags, but may have the headers of the message. */
const ses = (type: object, details: object) => ({
  ...type,
  mail: {
    ...{ timestamp: `${at}.237Z`, messageId: "00000138111222aa-33322211", headersTruncated: false },
    ...{ destination: [email], headers: [{ name: "campaign_id", value: "1" }] },
  },
  ...details,
});

const sparkpost = (envelope: string, type: string, given: object = {}) => ({
  msys: {
    [envelope]: {
      ...{ type, event_id: `8434531765349-${type}`, rcpt_to: email, raw_rcpt_to: "Jane@example.com" },
      ...{ rcpt_meta: { campaign_id: "1" }, timestamp: String(seconds), ...given },
    },
  },
  cust: { id: "00000" },
});

export const thirdPartyOutcomes: Readonly<Record<ProviderName, readonly OutcomeExample[]>> = {
  azure: [
    [azure("Delivered"), "delivered"],
    [azure("Bounced", refused), "bounced_hard"],
  ],
  brevo: [
    [brevo("delivered"), "delivered"],
    [
      brevo("hard_bounce", { ts_epoch: seconds * 1000, reason: ` RecipientError: ${refused}` }),
      "bounced_hard",
    ],
    [brevo("blocked", { ts_epoch: seconds * 1000, reason: "blocked : due to blacklist user" }), "suppressed"],
    // Without `ts_epoch`, and with it in seconds.
    [brevo("complaint", { ts: seconds - 35, ts_event: seconds, tags: ["transac_messages"] }), "complained"],
    [brevo("error", { ts_event: seconds + 31, ts_epoch: seconds, template_id: 22 }), "suppressed"],
    // Brevo calls this refusal of an unknown user `deferred`, and repeats it.
    [brevo("deferred", { ts_epoch: seconds * 1000, reason: refused }), undefined],
  ],
  mailgun: [
    [mailgun("delivered", { id: "hTWCTD81RtiDN", "delivery-status": { code: 250 } }), "delivered"],
    [
      mailgun("failed", {
        ...{ id: "a", severity: "permanent", reason: "bounce" },
        "delivery-status": { code: 550, message: refused, "attempt-no": 1 },
      }),
      "bounced_hard",
    ],
    [mailgun("failed", { id: "b", severity: "temporary", reason: "greylisted" }), undefined],
    [mailgun("complained", { id: "ncV2XwymRUKbPek_MIM-Gw" }), "complained"],
    [mailgun("unsubscribed", { id: "W3X4JOhFT-OZidZGKKr9iA" }), "unsubscribed"],
    // Mailgun has no webhook for it, and the event of its log names no recipient.
    [mailgun("rejected", { recipient: undefined, reject: { reason: "Sandbox" } }), undefined],
  ],
  mandrill: [
    [
      mandrill("hard_bounce", { bounce_description: "bad_mailbox", bgtools_code: 10, diag: refused }),
      "bounced_hard",
    ],
    [{ type: "blacklist", action: "add", reject: { email, reason: "manual edit" } }, undefined],
  ],
  postmark: [
    [postmark("Bounce", { ...bounced, Type: "HardBounce", TypeCode: 1 }), "bounced_hard"],
    [postmark("SpamComplaint", { ...bounced, Type: "SpamComplaint", TypeCode: 512 }), "complained"],
    [postmark("Delivery", { Recipient: email, DeliveredAt: bounced.BouncedAt }), "delivered"],
    [
      postmark("SubscriptionChange", {
        ...changed,
        SuppressSending: true,
        SuppressionReason: "ManualSuppression",
      }),
      "unsubscribed",
    ],
    [
      postmark("SubscriptionChange", { ...changed, SuppressSending: false, SuppressionReason: null }),
      undefined,
    ],
    // The bounce itself arrives as an event of its own.
    [
      postmark("SubscriptionChange", { ...changed, SuppressSending: true, SuppressionReason: "HardBounce" }),
      undefined,
    ],
  ],
  resend: [
    [resend("email.delivered", {}), "delivered"],
    // Of 2023, without a type: nothing but a sentence tells them apart.
    [
      resend("email.bounced", { bounce: { message: "The recipient's email provider sent a hard bounce" } }),
      "bounced_soft",
    ],
    [resend("email.bounced", { bounce: { message: refused, type: "Permanent" } }), "bounced_hard"],
    [resend("email.complained", {}), "complained"],
  ],
  sendgrid: [
    [
      sendgrid("delivered", { response: "250 2.0.0 OK 1461095248 m143si2210036ioe.159 - gsmtp" }),
      "delivered",
    ],
    [sendgrid("dropped", { reason: "Invalid" }), "suppressed"],
    [sendgrid("dropped", { reason: "Unsubscribed Address" }), "suppressed"],
    [sendgrid("bounce", { type: "bounce", status: "5.1.1", reason: refused }), "bounced_hard"],
    [sendgrid("deferred", { attempt: "1", response: "IPs were throttled by recipient server" }), undefined],
  ],
  ses: [
    [
      ses(
        { notificationType: "Bounce" },
        {
          bounce: {
            ...{ bounceType: "Permanent", bounceSubType: "General", timestamp: `${at}.101Z` },
            bouncedRecipients: [{ emailAddress: email, status: "5.1.1", action: "failed" }],
          },
        },
      ),
      "bounced_hard",
    ],
    [
      ses(
        { notificationType: "Complaint" },
        { complaint: { complainedRecipients: [{ emailAddress: email }], complaintFeedbackType: "abuse" } },
      ),
      "complained",
    ],
    [
      ses(
        { notificationType: "Delivery" },
        { delivery: { timestamp: `${at}.237Z`, recipients: [email], processingTimeMillis: 546 } },
      ),
      "delivered",
    ],
    [
      ses(
        { eventType: "Rendering Failure" },
        { failure: { errorMessage: "Attribute 'name' is not present", templateName: "MyTemplate" } },
      ),
      "suppressed",
    ],
    [ses({ eventType: "Reject" }, { reject: { reason: "Bad content" } }), "suppressed"],
  ],
  sparkpost: [
    [sparkpost("message_event", "delivery"), "delivered"],
    [sparkpost("message_event", "bounce", { bounce_class: "10", error_code: "550" }), "bounced_hard"],
    [sparkpost("message_event", "delay", { bounce_class: "21", num_retries: "1" }), undefined],
    [sparkpost("unsubscribe_event", "list_unsubscribe"), "unsubscribed"],
    [sparkpost("gen_event", "generation_rejection", { error_code: "554" }), "suppressed"],
    // A template that cannot be rendered. Its time is not in seconds.
    [sparkpost("message_event", "generation_failure", { timestamp: `${at}.000+00:00` }), "suppressed"],
    [sparkpost("message_event", "bounce", { event_id: "60", bounce_class: "60" }), undefined],
  ],
};

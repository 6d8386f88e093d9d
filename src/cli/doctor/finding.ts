// What a check of `doctor` finds.

export interface Finding {
  /** A problem breaks something now. A warning may do so later. */
  status: "ok" | "warning" | "problem";
  /** Says what to do, unless it is ok. */
  message: string;
  organization: number | null;
  campaign: number | null;
}

type Place = Partial<Pick<Finding, "organization" | "campaign">>;

const finding =
  (status: Finding["status"]) =>
  (message: string, { organization = null, campaign = null }: Place = {}): Finding => ({
    status,
    message,
    organization,
    campaign,
  });

export const [ok, warning, problem] = [finding("ok"), finding("warning"), finding("problem")];

export const instant = (time: number) => new Date(time).toISOString();

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

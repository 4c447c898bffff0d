export const policyKinds = ['terms', 'privacy'] as const;
/** The texts of the operator that people accept when they sign up. */
export type PolicyKind = (typeof policyKinds)[number];

export const policyTitles: Record<PolicyKind, string> = {
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
};

/** A version as it was published, or the built-in text while none was: version 0 without a date. */
export interface Policy {
  version: number;
  /** simple Markdown; `{marketplace}` and `{support}` stand for the name and the support address */
  body: string;
  /** ISO, UTC */
  publishedAt: string | null;
}

/** One line of the list of versions. */
export interface PolicyVersion {
  version: number;
  /** ISO, UTC */
  publishedAt: string;
  /** null when the account is gone */
  by: string | null;
}

export type PublishPolicyResult =
  | { ok: true; version: number }
  | { ok: false; reason: 'invalid'; error: string }
  /** it is word for word what is published */
  | { ok: false; reason: 'unchanged' }
  /** somebody else has published a version since; nothing was changed */
  | { ok: false; reason: 'newer'; current: Policy };

import './policy-editor.css';
import { useState } from 'react';
import { Form, Link } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import { policyPaths } from '#routing/policy-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { Counter } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { fillPlaceholders, parseMarkdown } from '../markdown.ts';
import { type Policy, type PolicyKind, type PolicyVersion, policyTitles } from '../model.ts';
import { POLICY_LIMIT, policyMessages } from '../rules.ts';
import { PolicyText } from './policy-text.tsx';

interface Props {
  kind: PolicyKind;
  policy: Policy & { versions: PolicyVersion[] };
  /** of this policy's form */
  answer: (ActionData & { newer?: Policy }) | undefined;
  brand: string;
  support: string;
  onDirty: (dirty: boolean) => void;
}

/** Writes the next version of a policy beside its preview, and lists those before it. */
export function PolicyEditor({ kind, policy, answer, brand, support, onDirty }: Props) {
  const [base] = useState(policy);
  const [body, setBody] = useState(answer?.input?.body ?? policy.body);
  const busy = usePendingForm(`publish-${kind}`) !== null;
  const newer = answer?.newer;
  const type = (text: string) => {
    setBody(text);
    onDirty(text !== base.body);
  };
  return (
    <Panel
      title={policyTitles[kind]}
      inset
      actions={
        <Link className="link text-sm" to={policyPaths[kind]()}>
          Show page
        </Link>
      }
    >
      <div className="policy-editor">
        <Form method="post" className="policy-form" noValidate preventScrollReset>
          <IntentField is={`publish-${kind}`} />
          <input type="hidden" name="base" value={(newer ?? base).version} />
          {newer && (
            <Notice tone="bad" title={policyMessages.newer}>
              <p>
                Version {newer.version} has been published meanwhile:{' '}
                <Link className="link" to={policyPaths[kind]({ version: newer.version })} target="_blank">
                  read it
                </Link>
                . What you typed here is not published: publish again to follow it, or{' '}
                <a className="link" href={adminPaths.settings()}>
                  reload
                </a>
                .
              </p>
            </Notice>
          )}
          <Field
            label="Text"
            hint="## Heading, - list, **bold**, [link](https://…); {marketplace} and {support} stand for your name and address."
            error={answer?.errors?.body}
            aside={<Counter used={[...body].length} max={POLICY_LIMIT} />}
          >
            {(control) => (
              <textarea
                {...control}
                className="area"
                name="body"
                rows={18}
                value={body}
                onChange={(event) => type(event.currentTarget.value)}
              />
            )}
          </Field>
          <Button type="submit" busy={busy} className="justify-self-start">
            Publish version {(newer ?? base).version + 1}
          </Button>
        </Form>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
        <section className="policy-preview" aria-label={`Preview of the ${policyTitles[kind]}`} tabIndex={0}>
          <PolicyText blocks={parseMarkdown(fillPlaceholders(body, { brand, support }))} />
        </section>
      </div>
      <Versions kind={kind} versions={policy.versions} />
    </Panel>
  );
}

function Versions({ kind, versions }: { kind: PolicyKind; versions: readonly PolicyVersion[] }) {
  if (versions.length === 0)
    return <p className="hint mt-4">The built-in text is in force until you publish a version.</p>;
  return (
    <ul className="policy-versions" aria-label={`Versions of the ${policyTitles[kind]}`}>
      {versions.map(({ version, publishedAt, by }) => (
        <li key={version}>
          <Link className="link" to={policyPaths[kind]({ version })}>
            Version {version}
          </Link>{' '}
          <span className="hint">
            <LocalTime of={publishedAt} as="exact" />
            {by && `, ${by}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

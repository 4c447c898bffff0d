import { Form } from 'react-router';
import { RECOVERY_CODES } from '#platform/auth/factors/counts.ts';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { usePendingForm } from '#ui/use-pending.ts';

/** New recovery codes, which are shown this once. */
export function NewRecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <Notice title="Your recovery codes">
      <p>
        Keep them where you find them without your phone. Each signs you in once, instead of the second
        factor. They are not shown again.
      </p>
      <ul aria-label="Recovery codes" className="my-3 grid gap-1 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** How many recovery codes are left, and a button that replaces them. */
export function RecoveryCodesPanel({ left }: { left: number }) {
  const renewing = usePendingForm('codes') !== null;
  return (
    <Panel title="Recovery codes" inset>
      <Form method="post" className="grid gap-4">
        <IntentField is="codes" />
        <p className="hint">
          {left} of {RECOVERY_CODES} are left. New ones replace them all.
        </p>
        <Button type="submit" variant="outline" className="justify-self-start" busy={renewing}>
          Make new recovery codes
        </Button>
      </Form>
    </Panel>
  );
}

import { useSite } from '#app/site.ts';
import { KeyTable, RevokeKeyDialog } from '#features/api-keys/components/key-table.tsx';
import { NewKeyForm, NewSecret } from '#features/api-keys/components/new-key-form.tsx';
import type { ApiKeyErrors, ApiKeyRow } from '#features/api-keys/model.ts';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import type { ToastInput } from '#ui/toast.ts';
import { useAnswer } from '#ui/use-answer.ts';
import { useShownOnce } from '#ui/use-shown-once.ts';

interface ApiKeysPageProps {
  keys: ApiKeyRow[] | null;
  /** the key that its dialog asks about */
  revokes: ApiKeyRow | null;
  /** what a new key will see; null where none can be created */
  sees: string | null;
  withOwner?: boolean;
  pathTo: (query?: { do?: string; id?: string }) => string;
  answer:
    | {
        errors?: ApiKeyErrors;
        secret?: string;
        toast?: ToastInput;
        input?: { name: string; perMinute: string; scopes: string[] };
        intent?: string;
        ok?: boolean;
      }
    | undefined;
}

/** The API keys of an administrator or a seller: the list, and a form for another one. */
export function ApiKeysPage({
  keys,
  revokes,
  sees,
  withOwner = false,
  pathTo,
  answer: latest,
}: ApiKeysPageProps) {
  const answer = useAnswer(latest);
  const secret = useShownOnce(latest?.secret, useSite()?.viewer?.id);
  const isRevoked = keys?.some(({ prefix, revokedAt }) => revokedAt && secret?.startsWith(prefix));
  useFocusInvalid(answer?.errors);
  return (
    <>
      <AreaHead title="API Keys" />
      <p className="lead mb-4">
        Other systems read listings by the RESO Web API at <code>/reso/odata</code> with an API key.
      </p>
      {secret && !isRevoked && <NewSecret secret={secret} />}
      <Panel>
        <KeyTable keys={keys} pathTo={pathTo} withOwner={withOwner} />
      </Panel>
      {sees && (
        <NewKeyForm
          // Empty again once a key was created.
          key={secret ?? 'new'}
          sees={sees}
          errors={answer?.errors}
          typed={answer?.ok === false && answer.intent === 'create' ? answer.input : undefined}
        />
      )}
      <RevokeKeyDialog revokes={revokes} pathTo={pathTo} />
      <FlashToast toast={answer?.toast} />
    </>
  );
}

import {
  type ActionArgs,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Stay,
  type Submission,
} from '#app/actions/run-action.ts';
import { createApiKey } from '#features/api-keys/commands/create-api-key.ts';
import { revokeApiKey } from '#features/api-keys/commands/revoke-api-key.ts';
import { apiKeyMessages, typedKey } from '#features/api-keys/model.ts';

/** What the page shows once. */
interface KeyExtra {
  secret?: string;
}

type Answer = Promise<Response | Stay<KeyExtra> | Refusal<KeyExtra>>;

/** Handles the forms of a page of API keys; `home` is its address. */
export const handleApiKeysForm = (args: ActionArgs, home: string) =>
  runAction<KeyExtra, ReturnType<typeof typedKey>>(args, {
    intents: { create, revoke: (submission) => revoke(submission, home) },
    preserve: typedKey,
    messages: { failed: apiKeyMessages.failed },
  });

async function create({ ctx, form, text }: Submission): Answer {
  const result = await createApiKey(ctx, {
    name: text('name'),
    scopes: form.getAll('scope').map(String),
    perMinute: text('perMinute'),
  });
  if (result.ok) return { ok: true, toast: { title: 'API key created' }, extra: { secret: result.secret } };
  return result.reason === 'invalid' ? invalid(result.errors) : conflict(apiKeyMessages.tooMany);
}

async function revoke({ ctx, text }: Submission, home: string): Answer {
  const { ok } = await revokeApiKey(ctx, { keyId: text('id') });
  return redirectWithToast(home, ok ? apiKeyMessages.revoked : apiKeyMessages.gone);
}

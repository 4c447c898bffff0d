import { randomUUID } from 'node:crypto';
import { scopes } from '#features/api-keys/model.ts';
import { hashSecret, newSecret } from '#features/api-keys/secret.ts';
import type { ActorName } from './access-table.ts';
import type { Scenario } from './scenario.ts';

/** Gives somebody an API key with every scope, past the command. */
export async function addKey(
  scenario: Scenario,
  owner: ActorName,
  { revoked = false, perMinute = 600 } = {},
): Promise<{ id: string; secret: string }> {
  const person = scenario.person(owner);
  const { secret, prefix } = newSecret();
  const { id } = await scenario.db
    .q()
    .insertInto('api_keys')
    .values({
      owner_id: person.id,
      agent_id: person.agentId,
      name: `Key ${randomUUID()}`,
      prefix,
      secret_hash: hashSecret(secret),
      scopes,
      per_minute: perMinute,
      created_at: new Date(),
      revoked_at: revoked ? new Date() : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, secret };
}

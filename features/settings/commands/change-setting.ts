import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { type ChangeSettingResult, type SettingName, settingSchemas } from '../model.ts';
import { mayChangeSettings } from '../rules.ts';

/**
 * Changes a setting for everything from now on.
 * @param input `value` as its schema in `settingSchemas` accepts it
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators and the command line
 */
export async function changeSetting(
  ctx: Ctx,
  { name, value }: { name: string; value: unknown },
): Promise<ChangeSettingResult> {
  authorize(ctx, mayChangeSettings);
  requireFreshProof(ctx);
  if (!isSettingName(name)) return { ok: false, reason: 'unknown_setting' };
  const parsed = settingSchemas[name].safeParse(value);
  if (!parsed.success)
    return {
      ok: false,
      reason: 'invalid',
      errors: parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')),
    };
  return ctx.db.tx(async (): Promise<ChangeSettingResult> => {
    const before = await storedValue(ctx, name);
    const columns = {
      setting_value: JSON.stringify(parsed.data),
      updated_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      updated_at: ctx.now(),
    };
    await ctx.db
      .q()
      .insertInto('platform_settings')
      .values({ setting_name: name, ...columns })
      .onConflict((conflict) => conflict.column('setting_name').doUpdateSet(columns))
      .execute();
    await audit(ctx, {
      action: 'setting.change',
      entity: 'platform_setting',
      entityId: name,
      before: { value: before },
      after: { value: parsed.data },
    });
    return { ok: true };
  });
}

/** Locks the setting; null while it is unset, as the audit log explains it from there on. */
async function storedValue(ctx: Ctx, name: SettingName): Promise<unknown> {
  const row = await ctx.db
    .q()
    .selectFrom('platform_settings')
    .select('setting_value')
    .where('setting_name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  return row?.setting_value ?? null;
}

const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingSchemas, name);

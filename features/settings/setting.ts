import { parseSender } from '#gateways/mail/address.ts';
import type { Ctx } from '#platform/context.ts';
import { type SettingName, type SettingValue, settingDefaults, settingSchemas } from './model.ts';

/** A setting as it is now; its default while it is unset, or when what is stored is not acceptable. */
export async function setting<Name extends SettingName>(ctx: Ctx, name: Name): Promise<SettingValue<Name>> {
  const row = await ctx.db
    .q()
    .selectFrom('platform_settings')
    .select('setting_value')
    .where('setting_name', '=', name)
    .executeTakeFirst();
  if (!row) return settingDefaults[name];
  const parsed = settingSchemas[name].safeParse(row.setting_value);
  if (parsed.success) return parsed.data as SettingValue<Name>;
  ctx.log.error(
    { setting: name, err: parsed.error },
    'a stored setting is not acceptable, its default holds',
  );
  return settingDefaults[name];
}

/** The value in an audit row of a setting; rows of former versions hold it bare. */
export const auditedValue = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'value' in state ? state.value : state;

/** `support@` at the domain that mails are sent from. */
export function derivedSupportAddress({ config }: Pick<Ctx, 'config'>): string {
  const { address } = parseSender(config.mailFrom);
  return `support${address.slice(address.lastIndexOf('@'))}`;
}

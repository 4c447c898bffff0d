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

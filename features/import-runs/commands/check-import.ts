import { canHaveListings } from '#features/listing-form/find-seller.ts';
import { type FieldName, fieldLabels } from '#features/listing-import/fields.ts';
import { applyMapping, choicesOf, type FieldChoices } from '#features/listing-import/mapping.ts';
import type { SameHome } from '#features/listing-import/model.ts';
import type { ListingsFile } from '#features/listing-import/read-file.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { announceImport } from '../announce.ts';
import type { ChoiceErrors, FirstStatus, ImportRefusal } from '../model.ts';
import { lockImport } from '../own-import.ts';
import { enqueueWork } from '../queues.ts';
import { importMessages, isPossible, mayImportFiles, refusalTexts } from '../rules.ts';
import { mergeTypeChoices } from '../type-choices.ts';

export interface ImportChoices {
  importId: string;
  /** whose listings they are; a seller's are their own */
  agentId: string | null;
  /** an administrator's choice */
  firstStatus: FirstStatus;
  activateTypes: boolean;
  sameHome: SameHome;
  choices: FieldChoices;
  /** names of property types by the keys of the file's own words, empty for rows that are left out */
  types: Readonly<Record<string, string>>;
}

type Result =
  | { ok: true }
  | { ok: false; reason: ImportRefusal; text: string }
  | { ok: false; reason: 'invalid'; errors: ChoiceErrors };

/**
 * Keeps which columns are read, which property types words stand for, and whose listings they are, and has the file checked: a run that writes nothing. Asked for twice, it is
 * checked once.
 * @throws Unauthenticated, Forbidden; NotFound for another seller's
 */
export async function checkImport(ctx: Ctx, input: ImportChoices): Promise<Result> {
  const user = authorizedUser(ctx, mayImportFiles);
  return ctx.db.tx(async () => {
    const row = await lockImport(ctx, input.importId);
    if (row.status === 'checking') return { ok: true };
    if (!isPossible('choose', row.status)) return { ok: false, reason: 'state', text: refusalTexts.state };
    const isAdmin = user.role === 'admin';
    const agentId = isAdmin ? input.agentId : row.agent_id;
    const file = row.description as unknown as ListingsFile;
    const mapping = applyMapping(file, { map: input.choices });
    const { types, errors: typeErrors } = await mergeTypeChoices(ctx, row, input.types);
    const errors: ChoiceErrors = {
      ...typeErrors,
      ...(mapping.ok ? {} : columnErrors(mapping)),
      ...(await sellerError(ctx, agentId)),
    };
    if (!mapping.ok || Object.keys(errors).length > 0) return { ok: false, reason: 'invalid', errors };
    await ctx.db
      .q()
      .updateTable('listing_imports')
      .set({
        agent_id: agentId,
        first_status: isAdmin ? input.firstStatus : 'pending',
        activate_types: isAdmin && input.activateTypes,
        same_home: input.sameHome,
        mapping: JSON.stringify(choicesOf(mapping.mapping)),
        types: JSON.stringify(types),
        status: 'checking',
        problem: null,
        rows_done: 0,
        check_added: 0,
        check_changed: 0,
        check_unchanged: 0,
        check_refused: 0,
        notes: '{}',
      })
      .where('id', '=', row.id)
      .execute();
    await audit(ctx, {
      action: 'import.check',
      entity: 'listing_import',
      entityId: row.id,
      after: { seller: agentId, status: isAdmin ? input.firstStatus : 'pending' },
    });
    await enqueueWork(ctx, row.id);
    await announceImport(ctx, row);
    return { ok: true };
  });
}

async function sellerError(ctx: Ctx, agentId: string | null): Promise<ChoiceErrors> {
  if (agentId === null) return { seller: importMessages.noSeller };
  if (!(await canHaveListings(ctx, agentId))) return { seller: importMessages.archivedSeller };
  const seller = await ctx.db
    .q()
    .selectFrom('agents')
    .select('status')
    .where('id', '=', agentId)
    .executeTakeFirst();
  return seller?.status === 'suspended' ? { seller: importMessages.suspendedSeller } : {};
}

/** What is missing beside its field, anything else above the columns. */
function columnErrors({ missing, reason }: { missing: FieldName[]; reason: string }): ChoiceErrors {
  if (missing.length === 0) return { columns: reason };
  return Object.fromEntries(
    missing.map((field) => [
      `map.${field}`,
      `Choose the column with the ${fieldLabels[field].toLowerCase()}.`,
    ]),
  );
}

import { expect } from 'vitest';
import { savePropertyType } from '#features/property-types/commands/save-property-type.ts';
import { propertyTypeList, propertyTypeUse } from '#features/property-types/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD } from '../support/table-rows.ts';

const forAdministrators = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}`;
const UNKNOWN = 32_000;
let count = 0;

export const cells: Cells = {
  'reads#propertyTypeList': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('all')}
    `,
    act: (ctx) => propertyTypeList(ctx),
    mayChange: () => false,
  }),
  'reads#propertyTypeUse': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a type')}
      ${forAdministrators('an unknown one', 'NotFound')}
    `,
    act: (ctx, _, { row }) => propertyTypeUse(ctx, row === 'a type' ? 1 : UNKNOWN),
    mayChange: () => false,
  }),
  'commands/save-property-type#savePropertyType': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a new type')}
      ${forAdministrators('a type')}
      ${forAdministrators('an unknown one', 'NotFound')}
      ${forAdministrators('no name', 'invalid')}
    `,
    prepare: async () => {
      count += 1;
      return `Type number ${count}`;
    },
    act: (ctx, name, { row }) =>
      savePropertyType(ctx, {
        id: row === 'a new type' ? null : row === 'an unknown one' ? UNKNOWN : 1,
        base: null,
        name: row === 'no name' ? ' ' : name,
        isActive: true,
      }),
    mayChange: (outcome) => outcome === 'allowed',
    async verify(_, name, { scenario, outcome }) {
      const found = await scenario.db
        .q()
        .selectFrom('property_types')
        .select('id')
        .where('name', '=', name)
        .execute();
      expect(found).toHaveLength(outcome === 'allowed' ? 1 : 0);
    },
  }),
};

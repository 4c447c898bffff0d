import { guards, type Mutant } from './mutant.ts';

const OF_PLACE = ".where(column, '=', id)";

/** Whose photographs they are, and when they stay as they are. */
export const photoDecisions: Mutant[] = [
  ...guards('features/photos/rules.ts', [" && !(actor.kind === 'user' && actor.suspended)", '']),
  ...guards(
    'features/photos/owner.ts',
    [".where('agent_id', '=', user.agentId)", ''],
    [".where('deleted_at', 'is', null)", ''],
    ['row.agent_id !== user.agentId || ', ''],
  ),
  ...guards('features/photos/change.ts', ["if (place.status === 'Sold') return refused('sold');", '']),
  ...guards('features/photos/commands/arrange-photos.ts', ['.filter((id) => known.has(id))', '']),
  ...guards('features/photos/commands/delete-photo.ts', [OF_PLACE, '']),
];

export { eventLabel, partyLabel } from './timeline.ts';

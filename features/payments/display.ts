export { messageOutcomes } from './messages.ts';

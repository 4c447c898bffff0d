export { messageFates } from './messages.ts';

export const action = () => null;

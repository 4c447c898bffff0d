/** A random order of the messages 0 … n−1, each up to `most` times or never. */
export function randomOrder(messages: number, most: number, random: () => number): number[] {
  const order: { message: number; at: number }[] = [];
  for (let message = 0; message < messages; message += 1) {
    const times = random() < 0.2 ? 0 : 1 + Math.floor(random() * most);
    for (let count = 0; count < times; count += 1) order.push({ message, at: random() });
  }
  return order.sort((a, b) => a.at - b.at).map(({ message }) => message);
}

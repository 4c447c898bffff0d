export default function Page() {
  return (
    <main>
      <h1>properties</h1>
    </main>
  );
}

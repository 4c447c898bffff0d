export default function Page() {
  return (
    <main>
      <h1>property</h1>
    </main>
  );
}

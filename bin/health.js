// Exits with 0 if the service of this container answers, for images without a shell.
const { PORT = "8080" } = process.env;
fetch(`http://127.0.0.1:${PORT}/healthz`).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);

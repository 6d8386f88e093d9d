// Compose files to use with Docker Compose: alone, with HTTPS by Caddy, and with PostgreSQL.

import { service } from "./service.ts";
import { yaml } from "./yaml.ts";

const { name, image, version, port, volume, stopSeconds } = service;
const local = `http://127.0.0.1:${port}`;

/** The service as each file has it. `build` lets a checkout do without a registry. */
const app = {
  image: `${image}:${version}`,
  build: "..",
  read_only: true,
  tmpfs: ["/tmp"],
  cap_drop: ["ALL"],
  security_opt: ["no-new-privileges:true"],
  stop_grace_period: `${stopSeconds}s`,
  restart: "unless-stopped",
};
const published = { ports: [`127.0.0.1:${port}:${port}`] };
const publicUrl = `\${PUBLIC_URL:-${local}}`;
const token = `\${SETUP_TOKEN:-}`;
/** The network of a file, from which its proxy may name clients. */
const subnet = "172.30.53.0/24";
const networks = { default: { ipam: { config: [{ subnet }] } } };

export function composeFiles(): Record<string, string> {
  return {
    "compose.yaml": yaml(
      {
        name,
        services: {
          app: {
            ...app,
            environment: {
              PUBLIC_URL: publicUrl,
              SETUP_TOKEN: token,
              TRUSTED_PROXIES: `\${TRUSTED_PROXIES:-}`,
            },
            ...published,
            volumes: [`data:${volume}`],
          },
        },
        volumes: { data: {} },
      },
      `Starts the service at ${local}, and prints the link to set it up:`,
      "",
      "  docker compose --file deploy/compose.yaml up --detach --wait",
      "  docker compose --file deploy/compose.yaml logs app",
      "",
      "For https, take compose.https.yaml, or put your own proxy in front (docs/configuration.md).",
    ),
    "compose.https.yaml": yaml(
      {
        name,
        services: {
          app: {
            ...app,
            environment: {
              PUBLIC_URL: `https://\${DOMAIN:?the host name that users open, such as analytics.example.com}`,
              SETUP_TOKEN: token,
              TRUSTED_PROXIES: subnet,
            },
            volumes: [`data:${volume}`],
          },
          caddy: {
            image: "caddy:2",
            environment: { SITE: `\${DOMAIN}`, SERVER: `app:${port}` },
            ports: ["80:80", "443:443", "443:443/udp"],
            volumes: ["./Caddyfile:/etc/caddy/Caddyfile:ro", "certificates:/data"],
            depends_on: { app: { condition: "service_healthy" } },
            restart: "unless-stopped",
          },
        },
        networks,
        volumes: { data: {}, certificates: {} },
      },
      "Starts the service with HTTPS: Caddy gets the certificate. The domain must lead to this machine.",
      "",
      "  DOMAIN=analytics.example.com docker compose --file deploy/compose.https.yaml up --detach --wait",
      "  DOMAIN=analytics.example.com docker compose --file deploy/compose.https.yaml logs app",
    ),
    "compose.postgres.yaml": yaml(
      {
        name,
        services: {
          app: {
            ...app,
            environment: {
              DATABASE_URL: "postgres://email_analytics@postgres/email_analytics",
              PGPASSWORD: `\${POSTGRES_PASSWORD:?the output of openssl rand -hex 32}`,
              PUBLIC_URL: publicUrl,
              SETUP_TOKEN: token,
              TRUSTED_PROXIES: `\${TRUSTED_PROXIES:-}`,
            },
            ...published,
            depends_on: { postgres: { condition: "service_healthy" } },
          },
          postgres: {
            image: "postgres:18",
            environment: {
              POSTGRES_USER: "email_analytics",
              POSTGRES_DB: "email_analytics",
              POSTGRES_PASSWORD: `\${POSTGRES_PASSWORD}`,
            },
            volumes: ["data:/var/lib/postgresql"],
            healthcheck: {
              // Over TCP: during setup the image listens on no port.
              test: ["CMD", "pg_isready", "-h", "127.0.0.1", "-U", "email_analytics"],
              interval: "5s",
              start_period: "60s",
            },
            shm_size: "256mb",
            stop_grace_period: "60s",
            restart: "unless-stopped",
          },
        },
        volumes: { data: {} },
      },
      `Starts the service at ${local} with PostgreSQL. Keep the password: in this folder,`,
      "",
      '  (umask 077; echo "POSTGRES_PASSWORD=$(openssl rand -hex 32)" > .env)',
      "  docker compose --file compose.postgres.yaml up --detach --wait",
      "  docker compose --file compose.postgres.yaml logs app",
      "",
      "compose.processes.yaml has several processes, and users of the database with fewer rights.",
    ),
  };
}

// Templates for Coolify, Dokploy, CapRover and Umbrel, and the entry for the list awesome-selfhosted.

import { dump } from "js-yaml";
import { firstStep, programPaths, service } from "./service.ts";
import { head, yaml } from "./yaml.ts";

const { name, title, tagline, description, license, image, version, port, volume, repository, stopSeconds } =
  service;
const tagged = `${image}:${version}`;
const stop_grace_period = `${stopSeconds}s`;
/** Proxies of a platform reach the service from a private network. */
const TRUSTED_PROXIES = "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16";

/** An environment as a list, which all platforms read. */
const list = (environment: Record<string, string>) =>
  Object.entries(environment).map(([key, value]) => (value ? `${key}=${value}` : key));

/** Coolify takes the metadata from comments, and fills in variables that start with SERVICE_. */
function coolify(): string {
  const metadata = {
    documentation: `${repository}#readme`,
    slogan: description,
    category: "analytics",
    tags: "analytics, email, newsletter, campaigns, statistics",
    logo: `svgs/${name}.svg`,
    port: `${port}`,
  };
  const environment = list({
    [`SERVICE_URL_APP_${port}`]: "",
    PUBLIC_URL: "$SERVICE_URL_APP",
    SETUP_TOKEN: "$SERVICE_PASSWORD_64_SETUP",
    TRUSTED_PROXIES,
  });
  return yaml(
    { services: { app: { image: tagged, environment, volumes: [`data:${volume}`], stop_grace_period } } },
    ...Object.entries(metadata).map(([key, value]) => `${key}: ${value}`),
  );
}

function dokployCompose(): string {
  const environment = ["PUBLIC_URL", "SETUP_TOKEN", "TRUSTED_PROXIES"];
  return yaml({
    services: {
      app: {
        image: tagged,
        restart: "unless-stopped",
        stop_grace_period,
        environment,
        volumes: [`data:${volume}`],
      },
    },
    volumes: { data: {} },
  });
}

function dokployTemplate(): string {
  return `${head()}

[variables]
main_domain = "\${domain}"
setup_token = "\${password:48}"

[config]
env = [
    "PUBLIC_URL=https://\${main_domain}",
    "SETUP_TOKEN=\${setup_token}",
    "TRUSTED_PROXIES=${TRUSTED_PROXIES}",
]

[[config.domains]]
serviceName = "app"
port = ${port}
host = "\${main_domain}"
`;
}

/** The entry of the catalog's meta.json. */
function dokployMeta(): string {
  const links = { github: repository, website: repository, docs: `${repository}#readme` };
  const tags = ["analytics", "email", "self-hosted"];
  const entry = { id: name, name: title, version, description, logo: "logo.svg", links, tags };
  return `${JSON.stringify(entry, null, 2)}\n`;
}

function capRover(): string {
  const url = "https://$$cap_appname.$$cap_root_domain";
  return yaml({
    captainVersion: 4,
    services: {
      $$cap_appname: {
        image: `${image}:$$cap_app_version`,
        restart: "always",
        environment: {
          PUBLIC_URL: url,
          SETUP_TOKEN: "$$cap_setup_token",
          TRUSTED_PROXIES,
        },
        volumes: [`$$cap_appname-data:${volume}`],
        caproverExtra: { containerHttpPort: `${port}` },
      },
    },
    caproverOneClickApp: {
      variables: [
        {
          id: "$$cap_app_version",
          label: "Version",
          defaultValue: version,
          description: `${repository}/releases`,
          validRegex: "/^[0-9.]+$/",
        },
        {
          id: "$$cap_setup_token",
          label: "Set-up token",
          defaultValue: "$$cap_gen_random_hex(48)",
          description: "The end of the link to set up your organization.",
          validRegex: "/^[A-Za-z0-9_-]{32,256}$/",
        },
      ],
      instructions: {
        start: `${description} Needs ${service.memoryMb} MB of memory. Enable HTTPS for the app before you open it.`,
        end: firstStep(`${url}/set-up/$$cap_setup_token`),
      },
      displayName: title,
      isOfficial: true,
      description: tagline,
      documentation: `${repository}#readme`,
    },
  });
}

/** Umbrel's own sign-in is in front of all but the paths of programs. */
function umbrelCompose(): string {
  return yaml({
    services: {
      app_proxy: {
        environment: {
          APP_HOST: `${name}_app_1`,
          APP_PORT: port,
          PROXY_AUTH_WHITELIST: programPaths.join(","),
        },
      },
      app: {
        image: `${tagged}@${service.released.imageDigest}`,
        user: `${service.user}:${service.user}`,
        restart: "on-failure",
        stop_grace_period,
        read_only: true,
        tmpfs: ["/tmp"],
        environment: {
          PUBLIC_URL: `http://\${DEVICE_DOMAIN_NAME}:\${APP_PROXY_PORT}`,
          SETUP_TOKEN: `\${APP_SEED}`,
          TRUSTED_PROXIES: `\${NETWORK_IP}/16`,
        },
        volumes: [`\${APP_DATA_DIR}/data:${volume}`],
      },
    },
  });
}

function umbrelManifest(): string {
  return yaml({
    manifestVersion: 1,
    id: name,
    category: "developer",
    name: title,
    version,
    tagline,
    description: `${description}\n\nThe log of the app has the link to set up your organization.`,
    releaseNotes: "",
    developer: service.publisher,
    website: repository,
    dependencies: [],
    repo: repository,
    support: `${repository}/issues`,
    port: 8627,
    gallery: [],
    path: "",
    defaultUsername: "",
    defaultPassword: "",
    submitter: service.publisher,
    submission: "https://github.com/getumbrel/umbrel-apps/pulls",
  });
}

/** Their list takes no comments. */
function awesomeSelfHosted(): string {
  return dump({
    name: title,
    website_url: repository,
    source_code_url: repository,
    description,
    licenses: [license],
    platforms: ["Nodejs", "Docker"],
    tags: ["Analytics"],
  });
}

export function platformFiles(): Record<string, string> {
  return {
    [`coolify/${name}.yaml`]: coolify(),
    "dokploy/docker-compose.yml": dokployCompose(),
    "dokploy/template.toml": dokployTemplate(),
    "dokploy/meta.json": dokployMeta(),
    [`caprover/${name}.yml`]: capRover(),
    "umbrel/docker-compose.yml": umbrelCompose(),
    "umbrel/umbrel-app.yml": umbrelManifest(),
    "umbrel/data/.gitkeep": "",
    [`awesome-selfhosted/${name}.yml`]: awesomeSelfHosted(),
  };
}

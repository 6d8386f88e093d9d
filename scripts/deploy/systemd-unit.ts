// The systemd unit of the tarball, hardened: the service writes to the folder of its data alone.

import { service } from "./service.ts";
import { head } from "./yaml.ts";

interface UnitOptions {
  user: string;
  /** The folder of the tarball's content. */
  program: string;
  data: string;
  environment: string[];
  /** Whether `data` is a folder of /home, of which the service then sees nothing else. */
  isDataInHome?: boolean;
}

export function unitFile({ user, program, data, environment, isDataInHome }: UnitOptions): string {
  const variables = [
    `DATABASE_URL=sqlite:${data}/${service.name}.db`,
    // With one arena a thread, or a threshold that rises, glibc keeps more memory than is used.
    "MALLOC_ARENA_MAX=2",
    "MALLOC_TRIM_THRESHOLD_=131072",
    ...environment,
  ];
  return `[Unit]
Description=${service.title}
After=network-online.target
Wants=network-online.target

[Service]
User=${user}
WorkingDirectory=${program}
${variables.map((each) => `Environment=${each}`).join("\n")}
# Settings, readable for root alone. They win over those above.
EnvironmentFile=-/etc/${user}.env
ExecStart=${program}/bin/node ${service.nodeOptions.join(" ")} ${program}/bin/email-analytics.js serve
TimeoutStopSec=${service.stopSeconds}
Restart=on-failure
UMask=0077
ReadWritePaths=${data}
ProtectSystem=strict
${isDataInHome ? `ProtectHome=tmpfs\nBindPaths=${data}` : "ProtectHome=yes"}
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProcSubset=pid
NoNewPrivileges=yes
CapabilityBoundingSet=
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** The unit that install.sh installs. */
export const installedUnit = `${head("install.sh copies this to /etc/systemd/system.")}
${unitFile({
  user: service.name,
  program: `/opt/${service.name}`,
  data: `/var/lib/${service.name}`,
  environment: [],
})}`;

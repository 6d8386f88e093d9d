// The package for YunoHost: it installs the tarball of a release, which has Node inside, behind YunoHost's nginx.

import { programPaths, service, tarballUrl } from "./service.ts";
import { unitFile } from "./systemd-unit.ts";
import { head } from "./yaml.ts";

const { name, title, description, version, license, repository, port, memoryMb, released } = service;

const manifest = `#:schema https://raw.githubusercontent.com/YunoHost/apps/main/schemas/manifest.v2.schema.json
${head()}

packaging_format = 2

id = "${name}"
name = "${title}"
description.en = "${service.tagline}, counted once and served to your own tools"
description.fr = "Les chiffres exacts de vos campagnes par e-mail, servis à vos propres outils"

version = "${version}~ynh1"
maintainers = []

[upstream]
license = "${license}"
code = "${repository}"
userdoc = "${repository}#readme"

[integration]
yunohost = ">= 12.0.9"
helpers_version = "2.1"
architectures = ["amd64", "arm64"]
multi_instance = true
ldap = false
sso = false
disk = "400M"
ram.build = "50M"
ram.runtime = "${memoryMb}M"

[install]
    [install.domain]
    type = "domain"

    [install.init_main_permission]
    type = "group"
    default = "visitors"

[resources]
    [resources.sources.main]
    amd64.url = "${tarballUrl("amd64")}"
    amd64.sha256 = "${released.tarballs.amd64}"
    arm64.url = "${tarballUrl("arm64")}"
    arm64.sha256 = "${released.tarballs.arm64}"

    [resources.ports]
    main.default = ${port}

    [resources.system_user]

    [resources.install_dir]

    [resources.data_dir]

    [resources.permissions]
    main.url = "/"
`;

const common = `#!/bin/bash
${head()}

install_files() {
    ynh_setup_source --dest_dir="$install_dir" --full_replace
    chown -R root:"$app" "$install_dir"
    chmod -R o-rwx "$install_dir"
    chown -R "$app:" "$data_dir"
    chmod 700 "$data_dir"
}

add_configuration() {
    ynh_config_add_nginx
    ynh_config_add_systemd
    yunohost service add "$app" --description="${service.tagline}"
}
`;

/** A script of the package. Those of backups run in another folder. */
const script = (lines: string, settings = "") => `#!/bin/bash
${head()}

source ${settings}_common.sh
source /usr/share/yunohost/helpers

${lines.trim()}
`;

const start = 'ynh_systemctl --service="$app" --action="start"';
const stop = 'ynh_systemctl --service="$app" --action="stop"';
const scripts = {
  install: script(`
ynh_app_setting_set --key=setup_token --value="$(ynh_string_random --length=48)"
setup_token=$(ynh_app_setting_get --key=setup_token)
install_files
add_configuration
${start}
ynh_script_progression "Open https://$domain/set-up/$setup_token to set up your organization"`),
  upgrade: script(`
${stop}
install_files
add_configuration
${start}
ynh_script_progression "Upgrade of $app completed"`),
  remove: script(`
if ynh_hide_warnings yunohost service status "$app" >/dev/null; then
    yunohost service remove "$app"
fi
ynh_config_remove_systemd
ynh_config_remove_nginx
ynh_script_progression "Removal of $app completed"`),
  backup: script(
    `
ynh_backup "$install_dir"
ynh_backup "$data_dir"
ynh_backup "/etc/nginx/conf.d/$domain.d/$app.conf"
ynh_backup "/etc/systemd/system/$app.service"
ynh_print_info "Backup script of $app completed"`,
    "../settings/scripts/",
  ),
  restore: script(
    `
ynh_restore "$install_dir"
ynh_restore "$data_dir"
chown -R root:"$app" "$install_dir"
chown -R "$app:" "$data_dir"
ynh_restore "/etc/nginx/conf.d/$domain.d/$app.conf"
ynh_restore "/etc/systemd/system/$app.service"
systemctl enable "$app.service" --quiet
yunohost service add "$app" --description="${service.tagline}"
${start}
ynh_systemctl --service=nginx --action=reload
ynh_script_progression "Restoration of $app completed"`,
    "../settings/scripts/",
  ),
};

const nginx = `${head()}
location / {
  proxy_pass http://127.0.0.1:__PORT__;
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_buffering off;
  proxy_read_timeout 90s;
  client_max_body_size 10m;
  # URLs of webhooks and messages are secret.
  access_log off;
}
`;

const unit = `${head()}
${unitFile({
  user: "__APP__",
  program: "__INSTALL_DIR__",
  data: "__DATA_DIR__",
  isDataInHome: true,
  environment: [
    "PUBLIC_URL=https://__DOMAIN__",
    "PORT=__PORT__",
    "TRUSTED_PROXIES=127.0.0.1",
    "SETUP_TOKEN=__SETUP_TOKEN__",
  ],
})}`;

const about = `${description}

Programs call ${programPaths.map((path) => `\`${path}\``).join(", ")} with keys of the service.
`;

const tests = `${head()}

test_format = 1.0

[default]
`;

export function yunoHostFiles(): Record<string, string> {
  const files = {
    "manifest.toml": manifest,
    "tests.toml": tests,
    "conf/nginx.conf": nginx,
    "conf/systemd.service": unit,
    "doc/DESCRIPTION.md": about,
    "scripts/_common.sh": common,
    ...Object.fromEntries(Object.entries(scripts).map(([file, text]) => [`scripts/${file}`, text])),
  };
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`yunohost/${path}`, text]));
}

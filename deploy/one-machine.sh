#!/usr/bin/env bash
# Runs a deployment of several processes on one machine: PostgreSQL, two `serve --only api`, one
# `serve --only ingest,tracking,web`, and nginx in front of them. Through nginx it registers a campaign, sends events,
# opens a tracked message, reads the numbers from both api processes, and signs in to the web application.
#
#   deploy/one-machine.sh [--pgbouncer] [--stay]
#
#   --pgbouncer  put PgBouncer, in transaction mode, between the processes and PostgreSQL
#   --stay       keep running until Ctrl-C, to try it by hand
#
# Requires Node 24 or later, `npm ci`, and the Debian packages postgresql, nginx and curl, and pgbouncer for --pgbouncer.
# Their services need not run: the script starts everything on the ports below, in a temporary folder that it deletes.
# As root, it runs PostgreSQL, PgBouncer and nginx as the user postgres.
#
# The exit code is 0 only if every number is correct and every process exits with 0.

set -euo pipefail

: "${POSTGRES_PORT:=15432}" "${PGBOUNCER_PORT:=16432}" "${NGINX_PORT:=18080}"
: "${API_1_PORT:=18081}" "${API_2_PORT:=18082}" "${WRITE_PORT:=18083}"

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PATH="$root/node_modules/.bin:$PATH:/usr/sbin"
with_pgbouncer=no stay=no
for argument in "$@"; do
  case "$argument" in
    --pgbouncer) with_pgbouncer=yes ;;
    --stay) stay=yes ;;
    *) echo "error: unknown argument $argument; see the head of $0" >&2; exit 2 ;;
  esac
done

fail() { echo "error: $*" >&2; exit 1; }
say() { printf '%s\n' "$*"; }

# The latest installed PostgreSQL, unless PG_BIN is set.
: "${PG_BIN:=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)}"
[ -x "$PG_BIN/initdb" ] || fail "no PostgreSQL in \"$PG_BIN\"; install the Debian package postgresql, or set PG_BIN"
for needed in nginx curl psql node; do
  command -v "$needed" > /dev/null || fail "$needed is not installed"
done
[ $with_pgbouncer = no ] || command -v pgbouncer > /dev/null || fail "pgbouncer is not installed"

# As root: runs a program as the user postgres, because PostgreSQL refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then exec setpriv --reuid=postgres --regid=postgres --init-groups "$@"; else exec "$@"; fi
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/email-analytics-one-machine.XXXXXX")
declare -A pids=()

# Stops everything in reverse order, and reports processes that fail.
clean_up() {
  local code=$? name
  trap - EXIT
  trap '' INT TERM
  for name in nginx write api-2 api-1 pgbouncer; do
    [ -n "${pids[$name]:-}" ] || continue
    # INT shuts PgBouncer down gracefully, as TERM does the others.
    kill "$([ $name = pgbouncer ] && echo -INT || echo -TERM)" "${pids[$name]}" 2> /dev/null || true
    if wait "${pids[$name]}"; then continue; fi
    say "$name exited with an error; its log:"
    tail -n 5 "$folder/$name.log" || true
    [ $code != 0 ] || code=1
  done
  if [ -f "$folder/data/postmaster.pid" ]; then
    (as_server "$PG_BIN/pg_ctl" -D "$folder/data" -m fast -w stop) > /dev/null || true
  fi
  rm -rf "$folder"
  [ $code = 0 ] && say "All checks passed."
  exit $code
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Starts a program, with a log in the folder, under a name that clean_up knows. In a process group of its own, so that
# Ctrl-C reaches only this script, which then stops the programs in order.
start() {
  local name=$1
  shift
  set -m
  "$@" > "$folder/$name.log" 2>&1 &
  pids[$name]=$!
  set +m
}

# Waits until a URL returns a success.
wait_for() {
  local name=$1 url=$2
  for _ in $(seq 100); do
    if curl -fsS -o "$folder/wait" "$url" 2> /dev/null; then return; fi
    kill -0 "${pids[$name]}" 2> /dev/null || break
    sleep 0.1
  done
  cat "$folder/$name.log" >&2
  fail "$name does not respond at $url"
}

password() { head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
owner_password=$(password) writer_password=$(password) reader_password=$(password)

# --- PostgreSQL: an owner who migrates, a writer who cannot change tables, and a reader ---

chmod 711 "$folder"
printf '%s' "$(password)" > "$folder/superuser"
chmod 600 "$folder/superuser"
if [ "$(id -u)" = 0 ]; then chown postgres "$folder" "$folder/superuser"; fi
cd "$folder"
(as_server "$PG_BIN/initdb" -D "$folder/data" --username=postgres --pwfile="$folder/superuser" \
  --auth=scram-sha-256 --encoding=UTF8 --locale=C) > initdb.log || { cat initdb.log >&2; fail "initdb"; }
cat >> "$folder/data/postgresql.conf" << SETTINGS
port = $POSTGRES_PORT
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
wal_compression = on
SETTINGS
(as_server "$PG_BIN/pg_ctl" -D "$folder/data" -l "$folder/data/log" -w start) > /dev/null ||
  { cat "$folder/data/log" >&2; fail "PostgreSQL does not start"; }

ask_postgres() {
  PGPASSWORD=$(cat "$folder/superuser") \
    psql -X -q -At -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$POSTGRES_PORT" -U postgres "$@"
}
OWNER_PASSWORD=$owner_password WRITER_PASSWORD=$writer_password READER_PASSWORD=$reader_password \
  ask_postgres -f "$root/deploy/postgres-roles.sql"
say "PostgreSQL:  $(ask_postgres -c 'show server_version') on port $POSTGRES_PORT"

# --- PgBouncer in transaction mode ---

database_port=$POSTGRES_PORT
if [ $with_pgbouncer = yes ]; then
  database_port=$PGBOUNCER_PORT
  cat > "$folder/pgbouncer.ini" << SETTINGS
[databases]
email_analytics = host=127.0.0.1 port=$POSTGRES_PORT dbname=email_analytics
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $PGBOUNCER_PORT
unix_socket_dir =
auth_type = scram-sha-256
auth_file = $folder/users.txt
admin_users = email_analytics_owner
pool_mode = transaction
default_pool_size = 5
max_client_conn = 200
SETTINGS
  printf '"email_analytics_owner" "%s"\n"email_analytics_writer" "%s"\n"email_analytics_reader" "%s"\n' \
    "$owner_password" "$writer_password" "$reader_password" > "$folder/users.txt"
  chmod 600 "$folder/users.txt"
  if [ "$(id -u)" = 0 ]; then chown postgres "$folder/users.txt"; fi
  start pgbouncer as_server pgbouncer "$folder/pgbouncer.ini"
  for _ in $(seq 50); do
    if (: < "/dev/tcp/127.0.0.1/$PGBOUNCER_PORT") 2> /dev/null; then break; fi
    sleep 0.1
  done
  say "PgBouncer:   $(pgbouncer --version | head -n 1) on port $PGBOUNCER_PORT, in transaction mode, 5 connections a user"
fi

# --- The processes. PGPASSWORD keeps passwords out of DATABASE_URL. ---

export REGION=local TRUSTED_PROXIES=127.0.0.1 PUBLIC_URL="http://127.0.0.1:$NGINX_PORT"
TRACKING_SECRET="$(password)$(password)"
export TRACKING_SECRET
program() {
  local user=$1 password=$2
  shift 2
  DATABASE_URL="postgres://$user@127.0.0.1:$database_port/email_analytics" PGPASSWORD=$password \
    exec node "$root/bin/email-analytics.js" "$@"
}
command_of_owner() {
  (program email_analytics_owner "$owner_password" --json "$@" 2> "$folder/command.log") ||
    { cat "$folder/command.log" >&2; fail "$*"; }
}
# Prints one field of a JSON line.
field() { node -e 'const [row] = require("fs").readFileSync(0, "utf8").split("\n"); console.log(JSON.parse(row)[process.argv[1]])' "$1"; }

command_of_owner migrate > /dev/null
organization=$(command_of_owner organization add --name "Acme" --time-zone UTC | field id)
read_key=$(command_of_owner key add --organization "$organization" --name "Analyst" | field key)
ingest_key=$(command_of_owner key add --organization "$organization" --name "Sender" --scope ingest | field key)

start api-1 program email_analytics_reader "$reader_password" serve --only api --port "$API_1_PORT"
start api-2 program email_analytics_reader "$reader_password" serve --only api --port "$API_2_PORT"
start write program email_analytics_writer "$writer_password" serve --only ingest,tracking,web --port "$WRITE_PORT"
wait_for api-1 "http://127.0.0.1:$API_1_PORT/readyz"
wait_for api-2 "http://127.0.0.1:$API_2_PORT/readyz"
wait_for write "http://127.0.0.1:$WRITE_PORT/readyz"
say "Processes:   api on ports $API_1_PORT and $API_2_PORT, ingest, tracking and the web application on port $WRITE_PORT"

# --- nginx ---

mkdir "$folder/nginx"
sed -e "s/\${API_SERVERS}/server 127.0.0.1:$API_1_PORT; server 127.0.0.1:$API_2_PORT;/" \
  -e "s/\${WRITE_SERVERS}/server 127.0.0.1:$WRITE_PORT;/" \
  -e "s/\${NGINX_LISTEN}/127.0.0.1:$NGINX_PORT/" "$root/deploy/nginx.conf.template" > "$folder/nginx/email-analytics.conf"
cat > "$folder/nginx.conf" << SETTINGS
daemon off;
worker_processes 1;
pid $folder/nginx/pid;
error_log stderr error;
events {}
http {
    access_log $folder/nginx/access.log;
    client_body_temp_path $folder/nginx/body;
    proxy_temp_path $folder/nginx/proxy;
    fastcgi_temp_path $folder/nginx/fastcgi;
    uwsgi_temp_path $folder/nginx/uwsgi;
    scgi_temp_path $folder/nginx/scgi;
    include $folder/nginx/email-analytics.conf;
}
SETTINGS
if [ "$(id -u)" = 0 ]; then chown -R postgres "$folder/nginx"; fi
(as_server nginx -e stderr -t -q -p "$folder/nginx" -c "$folder/nginx.conf") || fail "nginx refuses its configuration"
start nginx as_server nginx -e stderr -p "$folder/nginx" -c "$folder/nginx.conf"
base="http://127.0.0.1:$NGINX_PORT"
wait_for nginx "$base/healthz"
say "nginx:       $base"
say

# --- Through nginx: a campaign, events, and a tracked message ---

# Sends a request and checks the status. The body is then in $folder/answer, the headers in $folder/head.
ask() {
  local expected=$1 status
  shift
  status=$(curl -sS -o "$folder/answer" -D "$folder/head" -w '%{http_code}' "$@")
  [ "$status" = "$expected" ] || fail "expected status $expected, got $status: $(cat "$folder/answer")"
}
header() { sed -n "s/^$1: *\(.*\)\r\$/\1/ip" "$folder/head"; }
expect() {
  local what=$1 expected=$2 found=$3
  [ "$found" = "$expected" ] || fail "$what: expected $expected, got $found"
  say "  $what: $found"
}
json=(-H "Content-Type: application/json")
sender=(-H "Authorization: Bearer $ingest_key")

ask 201 -X PUT "$base/ingest/v1/campaigns/7" "${sender[@]}" "${json[@]}" -d '{
  "subject": "The week in brief", "sent_at": "2026-01-30T09:00:00Z", "sent_from": "news@example.com",
  "team": "Internal Communications", "sending_type": "Scheduled", "tracking_type": "Individual",
  "recipient_count": 10000, "recipient_groups": ["Headquarters"], "tags": ["Newsletter"], "surveys_count": 0}'
say "PUT /ingest/v1/campaigns/7, served by $(header x-served-by)"
expect "status" added "$(field status < answer)"

# 4,000 recipients open and 1,000 of them click: 5,000 events, more than the 1 MiB that nginx accepts by default.
node -e '
  const agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36";
  for (let n = 1; n <= 5000; n++) {
    const action = n <= 4000 ? { type: "open" } : { type: "click", url: "https://example.com/news" };
    const recipient = `person.${((n - 1) % 4000) + 1}@example.com`;
    console.log(JSON.stringify({ id: `e-${n}`, campaign_id: 7, recipient, ...action, at: "2026-01-30T09:05:00Z", user_agent: agent }));
  }' > "$folder/events.ndjson"
events=(-H "Content-Type: application/x-ndjson" --data-binary "@$folder/events.ndjson")
ask 200 "$base/ingest/v1/events" "${sender[@]}" "${events[@]}"
say "POST /ingest/v1/events, $(wc -c < "$folder/events.ndjson") bytes, served by $(header x-served-by)"
expect "accepted" 5000 "$(field accepted < answer)"
ask 200 "$base/ingest/v1/events" "${sender[@]}" "${events[@]}"
say "The same events again"
expect "repeated" 5000 "$(field repeated < answer)"

ask 200 "$base/ingest/v1/campaigns/7/messages" "${sender[@]}" "${json[@]}" \
  -d '{"html": "<p>The news</p>", "recipients": ["late@example.com"]}'
pixel=$(grep -o "$base/t/o/[A-Za-z0-9_-]*" answer | head -n 1)
[ -n "$pixel" ] || fail "the message has no tracking image: $(cat answer)"
ask 200 "$pixel" -A "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"
say "Opened a tracked message: its image was served by $(header x-served-by)"

# --- The numbers, through nginx, from both api processes, with both headers ---

say "GET /data_api/v1/emails"
declare -A served=()
for credential in "Authorization: Bearer $read_key" "bearer_auth: $read_key"; do
  for _ in 1 2 3 4; do
    ask 200 "$base/data_api/v1/emails" -H "$credential"
    served["${credential%%:*}, $(header x-served-by)"]+=.
    numbers=$(node -e '
      const [record] = JSON.parse(require("fs").readFileSync("answer", "utf8")).emails;
      console.log(record.id, record.unique_opens, record.unique_clicks, record.open_rate, record.recipient_count);')
    [ "$numbers" = "7 4001 1000 0.4001 10000" ] || fail "the numbers are $numbers"
    [ -n "$(header x-request-id)" ] || fail "the response has no X-Request-Id"
  done
done
for by in "${!served[@]}"; do say "  by $by: ${#served[$by]} responses, unique_opens 4001, unique_clicks 1000, open_rate 0.4001"; done | sort
for port in "$API_1_PORT" "$API_2_PORT"; do
  for header in Authorization bearer_auth; do
    [ -n "${served["$header, 127.0.0.1:$port"]:-}" ] || fail "the process on port $port received no request with $header"
  done
done
ask 403 "$base/data_api/v1/emails" "${sender[@]}"
say "With the ingest key: 403"
ask 401 "$base/data_api/v1/emails"
say "Without a key: 401"

# --- The web application over plain HTTP: a user chooses a password and sees the campaign ---

invite_link=$(command_of_owner user add --organization "$organization" --email ann@example.com --role admin | field url)
browser=(-b "$folder/cookies" -c "$folder/cookies")
ask 200 "${browser[@]}" "$invite_link"
form_token=$(sed -n 's/.*name="form_token" value="\([^"]*\)".*/\1/p' "$folder/answer" | head -n 1)
chosen=$(password)
ask 303 "${browser[@]}" "$invite_link" -H "Origin: $base" --data-urlencode "form_token=$form_token" \
  --data-urlencode "new_password=$chosen" --data-urlencode "again=$chosen"
ask 200 "${browser[@]}" "$base/campaigns"
grep -q 'href="/campaigns/7"' "$folder/answer" || fail "the page of campaigns does not show the campaign"
say "Signed in to the web application, served by $(header X-Served-By)"

# --- The reader cannot write ---

reader_says=$(PGPASSWORD=$reader_password psql -X -At -h 127.0.0.1 -p "$POSTGRES_PORT" -U email_analytics_reader -d email_analytics \
  -c 'delete from campaigns' 2>&1) && fail "the database user of the api processes can delete rows"
say "The database user of the api processes: $reader_says"
connections=$(ask_postgres -d email_analytics -c "select string_agg(usename || ' ' || n, ', ' order by usename) from
  (select usename, count(*) n from pg_stat_activity where datname = 'email_analytics' and usename like 'email_analytics_%' group by 1) _")
say "Connections to PostgreSQL: ${connections//email_analytics_/}"
say

if [ $stay = yes ]; then
  say "Running until Ctrl-C. The keys:"
  say "  read    $read_key"
  say "  ingest  $ingest_key"
  wait "${pids[nginx]}"
fi

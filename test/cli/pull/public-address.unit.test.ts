// Public and private IP addresses, and the connection to the address that was checked.

import assert from "node:assert/strict";
import { once } from "node:events";
import { get } from "node:http";
import { isIP, type Socket } from "node:net";
import test from "node:test";
import { isPublicAddress, lookupPublic } from "../../../src/cli/pull/public-address.ts";

test("tells public addresses from private, reserved and translated ones", () => {
  for (const address of [
    "8.8.8.8",
    "1.1.1.1",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "2a00:1450::1",
  ]) {
    assert.equal(isPublicAddress(address), true, address);
  }
  for (const address of [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "198.19.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "64:ff9b::a00:1",
    "fc00::1",
    "fe80::1",
    "ff02::1",
    "2001:db8::1",
    "2002:a00:1::",
    "localhost",
    "",
  ]) {
    assert.equal(isPublicAddress(address), false, address);
  }
});

type Resolve = NonNullable<Parameters<typeof lookupPublic>[0]>;

/** A name server that answers each question with the next list of addresses. */
function nameServer(...answers: string[][]): { resolve: Resolve; asked: () => number } {
  let asked = 0;
  const resolve: Resolve = (_host, _options, callback) => {
    const addresses = (answers[asked++] ?? []).map((address) => ({ address, family: isIP(address) }));
    setImmediate(callback, null, addresses);
  };
  return { resolve, asked: () => asked };
}

const found = (resolve: Resolve, all: boolean) =>
  new Promise((settle, fail) => {
    lookupPublic(resolve)("hosted.example", { all }, (error, address) =>
      error ? fail(error) : settle(address),
    );
  });

test("a host is refused if any of its addresses is private", async () => {
  for (const all of [true, false]) {
    await assert.rejects(found(nameServer(["8.8.8.8", "10.0.0.1"]).resolve, all), {
      message:
        "--from: hosted.example has the address 10.0.0.1, which is not a public address; add --allow-private if the service is in your network",
    });
  }
  assert.equal(await found(nameServer(["8.8.8.8"]).resolve, false), "8.8.8.8");
  assert.deepEqual(await found(nameServer(["8.8.8.8"]).resolve, true), [{ address: "8.8.8.8", family: 4 }]);
  await assert.rejects(found(nameServer([]).resolve, false), { message: "hosted.example has no address" });
});

test("a connection asks the name server once, and uses the answer that was checked", async () => {
  // A second question would lead to this computer.
  const { resolve, asked } = nameServer(["8.8.8.8"], ["127.0.0.1"]);
  const request = get({ host: "hosted.example", lookup: lookupPublic(resolve) });
  const [socket] = (await once(request, "socket")) as [Socket];
  const [, address] = (await once(socket, "lookup")) as [unknown, string];
  request.on("error", () => undefined).destroy();
  assert.deepEqual([address, asked()], ["8.8.8.8", 1]);
});

// Signing in and out.

import type { FastifyInstance } from "fastify";
import type { Cookies } from "./cookies.ts";
import type { ConsoleDoor } from "./door.ts";

export function addSignIn(_scope: FastifyInstance, _door: ConsoleDoor, _cookies: Cookies): void {}

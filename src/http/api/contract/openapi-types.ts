// The parts of an OpenAPI 3.1 document that ours has.

/** JSON Schema. */
interface OpenApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly OpenApiSchema[];
  readonly anyOf?: readonly OpenApiSchema[];
  readonly items?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly examples?: readonly unknown[];
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: OpenApiSchema;
  readonly example?: unknown;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<
    Record<string, { description: string; schema: OpenApiSchema; example?: unknown }>
  >;
  /** The content by media type. */
  readonly content?: Readonly<Record<string, { schema: OpenApiSchema; example?: unknown }>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Empty if it needs no key; undefined if the security of the document applies. */
  readonly security?: readonly [];
  readonly parameters?: readonly OpenApiParameter[];
  /** The responses by status. */
  readonly responses: Readonly<Record<string, OpenApiResponse | { $ref: string }>>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<{ title: string; version: string; description: string }>;
  readonly servers: readonly { url: string; description: string }[];
  /** Any of these schemes. */
  readonly security: readonly Readonly<Record<string, readonly []>>[];
  readonly tags: readonly { name: string; description: string }[];
  readonly paths: Readonly<Record<string, { get: OpenApiOperation }>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { description: string }>>;
    readonly schemas: Readonly<Record<string, OpenApiSchema>>;
    readonly responses: Readonly<Record<string, OpenApiResponse>>;
  };
}

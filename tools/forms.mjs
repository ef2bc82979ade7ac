/**
 * Whether plain JSON has the form that a schema tells: as much of JSON Schema as events need.
 */
import { areSame, isObject } from "./canonical.mjs";

const TYPES = {
  integer: Number.isSafeInteger,
  string: (plain) => typeof plain === "string",
  boolean: (plain) => typeof plain === "boolean",
  null: (plain) => plain === null,
  object: isObject,
  array: Array.isArray,
};

/** Return whether plain JSON has the form of a schema. */
export function fits(schema, plain) {
  return misfitOf(schema, plain) === null;
}

/** Return the path of the first part that does not fit a schema, or null; "" is the whole. */
export function misfitOf(schema, plain) {
  if (schema.anyOf) {
    return schema.anyOf.some((each) => fits(each, plain)) ? null : "";
  }
  if ("const" in schema) {
    return areSame(schema.const, plain) ? null : "";
  }
  if (schema.enum) {
    return schema.enum.some((each) => areSame(each, plain)) ? null : "";
  }
  if (schema.type && !TYPES[schema.type](plain)) {
    return "";
  }
  return schema.type === "object" ? misfitOfObject(schema, plain) : misfitOfList(schema, plain);
}

function misfitOfObject(schema, plain) {
  const missing = schema.required.find((key) => !Object.hasOwn(plain, key));
  const unknown = Object.keys(plain).find((key) => !Object.hasOwn(schema.properties, key));
  if (missing !== undefined || unknown !== undefined) {
    return missing ?? unknown;
  }
  return firstMisfit(Object.entries(plain), (key) => schema.properties[key]);
}

function misfitOfList(schema, plain) {
  if (schema.type !== "array") {
    return null;
  }
  if (schema.items) {
    return firstMisfit(Object.entries(plain), () => schema.items);
  }
  const { prefixItems } = schema;
  const isRight = plain.length === prefixItems.length;
  return isRight ? firstMisfit(Object.entries(plain), (at) => prefixItems[at]) : "";
}

function firstMisfit(entries, schemaOf) {
  for (const [key, child] of entries) {
    const found = misfitOf(schemaOf(key), child);
    if (found !== null) {
      return found ? `${key}.${found}` : key;
    }
  }
  return null;
}

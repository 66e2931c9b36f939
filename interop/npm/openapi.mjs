// Checks an OpenAPI 3.1 document, as a server hands it out, with software that we did not write: the document against the
// schema of the OpenAPI Initiative, each schema in it against JSON Schema 2020-12, and what the server answers against
// these schemas. README.md describes the options and the report.

import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Validator } from '@seriousme/openapi-schema-validator';

const { url, token, read = [] } = JSON.parse(process.argv[2]);

const escape = (name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

async function get(path, headers) {
  const answer = await fetch(new URL(path, url), { headers });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get('content-type'), text, value: answer.ok ? JSON.parse(text) : null };
}

/** All schemas as {place, schema}: the values of members called schema, and the components. */
function schemas(value, at = '') {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => {
    const place = `${at}/${escape(name)}`;
    return name === 'schema' || at === '/components/schemas' ? [{ place, schema: below }] : schemas(below, place);
  });
}

/** What is wrong with the schemas. The strict mode of ajv also finds keywords that do nothing. */
function schemaFindings(ajv, document) {
  return schemas(document).flatMap(({ place, schema }) => {
    if (!ajv.validateSchema(schema)) return [`${place}: ${ajv.errorsText()}`];
    try {
      ajv.getSchema(`openapi#${place}`);
      return [];
    } catch (error) {
      return [`${place}: ${error.message}`];
    }
  });
}

/** The path of the document that an address is described by. */
function described(document, address) {
  const { pathname } = new URL(address, url);
  const fits = (path) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname);
  return pathname in document.paths ? pathname : Object.keys(document.paths).find(fits);
}

async function answerFindings(ajv, document, address) {
  const answer = await get(address, { authorization: `Bearer ${token}` });
  const path = described(document, address);
  const content = document.paths[path]?.get?.responses[answer.status]?.content;
  if (answer.status !== 200 || !content?.[answer.type]) return [`GET ${address}: ${answer.status} ${answer.type}: ${answer.text}`];
  const validate = ajv.getSchema(`openapi#/paths/${escape(path)}/get/responses/200/content/${escape(answer.type)}/schema`);
  return validate(answer.value) ? [] : [`GET ${address}: ${ajv.errorsText(validate.errors)}`];
}

const found = await get('/api/openapi.json');
const document = found.value;
const validator = new Validator();
const result = await validator.validate(structuredClone(document)); // it may change what it is given
const findings = result.valid ? [] : [result.errors].flat().map((error) => (typeof error === 'string' ? error : JSON.stringify(error)));

// Lists of types are what 3.1 has instead of nullable.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);
for (const format of ['int32', 'int64']) ajv.addFormat(format, { type: 'number', validate: Number.isInteger });
ajv.addVocabulary(Object.keys(document)); // it is no schema itself
try {
  ajv.addSchema(document, 'openapi');
  findings.push(...schemaFindings(ajv, document));
  for (const address of read) findings.push(...(await answerFindings(ajv, document, address)));
} catch (error) {
  findings.push(error.message);
}
const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path).map((one) => one.operationId));
console.log(JSON.stringify({ type: found.type, version: validator.version, schemas: schemas(document).length, operations, findings }));

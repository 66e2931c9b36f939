{{- define "parley.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "parley.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default (printf "v%s" .Chart.AppVersion) }}{{ end }}
{{- end }}

{{- define "parley.configuration" -}}
{{ .Values.configuration | default (.Files.Get "files/parley.yaml") }}
{{- end }}

{{- define "parley.url" -}}
{{ required "url: where people and clients go, such as https://parley.acme.example" .Values.url }}
{{- end }}

{{- define "parley.secret" -}}
{{ required "existingSecret: the secret with DATABASE_URL, PARLEY_SECRET and what else the configuration takes" .Values.existingSecret }}
{{- end }}

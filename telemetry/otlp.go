package telemetry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/parley-hq/parley/tracing"
)

// otlp is a collector, by HTTP and protobuf.
type otlp struct {
	url      string
	headers  map[string]string
	client   *http.Client
	resource *resourcepb.Resource
	scope    *commonpb.InstrumentationScope
}

// TracesURL is where the spans of an endpoint go.
func TracesURL(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return "", errors.New("an endpoint is a URL, such as http://localhost:4318, without a name and a password")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/traces"
	}
	return u.String(), nil
}

func newOTLP(opts *TracesOptions) (*otlp, error) {
	where, err := TracesURL(opts.Endpoint)
	if err != nil {
		return nil, err
	}
	o := &otlp{url: where, headers: opts.Headers, client: opts.Client, scope: &commonpb.InstrumentationScope{Name: "github.com/parley-hq/parley", Version: opts.Version}}
	if o.client == nil {
		o.client = http.DefaultClient
	}
	about := []tracing.Attribute{{Key: "service.name", Value: opts.Service}}
	if opts.Version != "" {
		about = append(about, tracing.Attribute{Key: "service.version", Value: opts.Version})
	}
	if opts.Node != "" {
		about = append(about, tracing.Attribute{Key: "service.instance.id", Value: opts.Node})
	}
	o.resource = &resourcepb.Resource{Attributes: attributes(about)}
	return o, nil
}

// encode is what is sent. A collector reads it as an ExportTraceServiceRequest, which has
// the same form; that type would bring gRPC along.
func (o *otlp) encode(all []tracing.Span) ([]byte, error) {
	spans := make([]*tracepb.Span, len(all))
	for i, s := range all {
		spans[i] = wireSpan(s)
	}
	return proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: o.resource, ScopeSpans: []*tracepb.ScopeSpans{{Scope: o.scope, Spans: spans}},
	}}})
}

// mostText is how much of a name is told that others chose.
const mostText = 200

func wireSpan(s tracing.Span) *tracepb.Span {
	w := &tracepb.Span{
		TraceId: s.Context.Trace[:], SpanId: s.Context.Span[:], TraceState: s.Context.State, Flags: 1,
		Name: shortened(s.Name), Kind: tracepb.Span_SPAN_KIND_INTERNAL,
		StartTimeUnixNano: nanoseconds(s.Start), EndTimeUnixNano: nanoseconds(s.End),
		Attributes: attributes(s.Attributes),
	}
	if s.Parent.Span != [8]byte{} {
		w.ParentSpanId = s.Parent.Span[:]
	}
	switch s.Kind {
	case tracing.Server:
		w.Kind = tracepb.Span_SPAN_KIND_SERVER
	case tracing.Client:
		w.Kind = tracepb.Span_SPAN_KIND_CLIENT
	}
	for _, l := range s.Links {
		w.Links = append(w.Links, &tracepb.Span_Link{TraceId: l.Trace[:], SpanId: l.Span[:], TraceState: l.State, Flags: 1})
	}
	if s.Failed != "" {
		w.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: shortened(s.Failed)}
	}
	return w
}

func nanoseconds(t time.Time) uint64 { return uint64(max(0, t.UnixNano())) }

func attributes(all []tracing.Attribute) []*commonpb.KeyValue {
	wire := make([]*commonpb.KeyValue, 0, len(all))
	for _, a := range all {
		v := &commonpb.AnyValue{}
		switch value := a.Value.(type) {
		case string:
			v.Value = &commonpb.AnyValue_StringValue{StringValue: shortened(value)}
		case bool:
			v.Value = &commonpb.AnyValue_BoolValue{BoolValue: value}
		case int:
			v.Value = &commonpb.AnyValue_IntValue{IntValue: int64(value)}
		case int64:
			v.Value = &commonpb.AnyValue_IntValue{IntValue: value}
		case float64:
			v.Value = &commonpb.AnyValue_DoubleValue{DoubleValue: value}
		default:
			continue // whatever it is, nobody said that it may be told
		}
		wire = append(wire, &commonpb.KeyValue{Key: a.Key, Value: v})
	}
	return wire
}

// errRefused is in the error of a collector that answers, and not as it should.
var errRefused = errors.New("the collector answers, but not as it should")

// post sends what was encoded. again says that it may be taken later. The error has
// neither the address nor a header: both may be secrets.
func (o *otlp) post(ctx context.Context, body []byte) (again bool, err error) {
	ctx, stop := context.WithTimeout(ctx, sendTime)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, o.url, bytes.NewReader(body))
	if err != nil {
		return false, errors.New("the endpoint is no URL")
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("User-Agent", "parley")
	for name, value := range o.headers {
		r.Header.Set(name, value)
	}
	answer, err := o.client.Do(r)
	if err != nil {
		var where *url.Error
		if errors.As(err, &where) {
			err = where.Err
		}
		return true, err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection can be used again
	switch code := answer.StatusCode; {
	case code >= 200 && code < 300:
		return false, nil
	case code == http.StatusTooManyRequests, code == http.StatusBadGateway, code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		return true, fmt.Errorf("%w: status %d", errRefused, code)
	default:
		return false, fmt.Errorf("%w: status %d", errRefused, code)
	}
}

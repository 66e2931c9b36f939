var ua=Object.defineProperty;var ca=(e,t)=>{for(var n in t)ua(e,n,{get:t[n],enumerable:!0})};var Gt=globalThis,Jt=Gt.ShadowRoot&&(Gt.ShadyCSS===void 0||Gt.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,Yn=Symbol(),fr=new WeakMap,wt=class{constructor(t,n,i){if(this._$cssResult$=!0,i!==Yn)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=t,this.t=n}get styleSheet(){let t=this.o,n=this.t;if(Jt&&t===void 0){let i=n!==void 0&&n.length===1;i&&(t=fr.get(n)),t===void 0&&((this.o=t=new CSSStyleSheet).replaceSync(this.cssText),i&&fr.set(n,t))}return t}toString(){return this.cssText}},mr=e=>new wt(typeof e=="string"?e:e+"",void 0,Yn),le=(e,...t)=>{let n=e.length===1?e[0]:t.reduce((i,r,s)=>i+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+e[s+1],e[0]);return new wt(n,e,Yn)},gr=(e,t)=>{if(Jt)e.adoptedStyleSheets=t.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of t){let i=document.createElement("style"),r=Gt.litNonce;r!==void 0&&i.setAttribute("nonce",r),i.textContent=n.cssText,e.appendChild(i)}},Zn=Jt?e=>e:e=>e instanceof CSSStyleSheet?(t=>{let n="";for(let i of t.cssRules)n+=i.cssText;return mr(n)})(e):e;var{is:da,defineProperty:pa,getOwnPropertyDescriptor:ha,getOwnPropertyNames:fa,getOwnPropertySymbols:ma,getPrototypeOf:ga}=Object,Yt=globalThis,br=Yt.trustedTypes,ba=br?br.emptyScript:"",ka=Yt.reactiveElementPolyfillSupport,vt=(e,t)=>e,Xn={toAttribute(e,t){switch(t){case Boolean:e=e?ba:null;break;case Object:case Array:e=e==null?e:JSON.stringify(e)}return e},fromAttribute(e,t){let n=e;switch(t){case Boolean:n=e!==null;break;case Number:n=e===null?null:Number(e);break;case Object:case Array:try{n=JSON.parse(e)}catch{n=null}}return n}},xr=(e,t)=>!da(e,t),kr={attribute:!0,type:String,converter:Xn,reflect:!1,useDefault:!1,hasChanged:xr};Symbol.metadata??=Symbol("metadata"),Yt.litPropertyMetadata??=new WeakMap;var Se=class extends HTMLElement{static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(t,n=kr){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(t)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(t,n),!n.noAccessor){let i=Symbol(),r=this.getPropertyDescriptor(t,i,n);r!==void 0&&pa(this.prototype,t,r)}}static getPropertyDescriptor(t,n,i){let{get:r,set:s}=ha(this.prototype,t)??{get(){return this[n]},set(o){this[n]=o}};return{get:r,set(o){let a=r?.call(this);s?.call(this,o),this.requestUpdate(t,a,i)},configurable:!0,enumerable:!0}}static getPropertyOptions(t){return this.elementProperties.get(t)??kr}static _$Ei(){if(this.hasOwnProperty(vt("elementProperties")))return;let t=ga(this);t.finalize(),t.l!==void 0&&(this.l=[...t.l]),this.elementProperties=new Map(t.elementProperties)}static finalize(){if(this.hasOwnProperty(vt("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(vt("properties"))){let n=this.properties,i=[...fa(n),...ma(n)];for(let r of i)this.createProperty(r,n[r])}let t=this[Symbol.metadata];if(t!==null){let n=litPropertyMetadata.get(t);if(n!==void 0)for(let[i,r]of n)this.elementProperties.set(i,r)}this._$Eh=new Map;for(let[n,i]of this.elementProperties){let r=this._$Eu(n,i);r!==void 0&&this._$Eh.set(r,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(t){let n=[];if(Array.isArray(t)){let i=new Set(t.flat(1/0).reverse());for(let r of i)n.unshift(Zn(r))}else t!==void 0&&n.push(Zn(t));return n}static _$Eu(t,n){let i=n.attribute;return i===!1?void 0:typeof i=="string"?i:typeof t=="string"?t.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(t=>this.enableUpdating=t),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(t=>t(this))}addController(t){(this._$EO??=new Set).add(t),this.renderRoot!==void 0&&this.isConnected&&t.hostConnected?.()}removeController(t){this._$EO?.delete(t)}_$E_(){let t=new Map,n=this.constructor.elementProperties;for(let i of n.keys())this.hasOwnProperty(i)&&(t.set(i,this[i]),delete this[i]);t.size>0&&(this._$Ep=t)}createRenderRoot(){let t=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return gr(t,this.constructor.elementStyles),t}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(t=>t.hostConnected?.())}enableUpdating(t){}disconnectedCallback(){this._$EO?.forEach(t=>t.hostDisconnected?.())}attributeChangedCallback(t,n,i){this._$AK(t,i)}_$ET(t,n){let i=this.constructor.elementProperties.get(t),r=this.constructor._$Eu(t,i);if(r!==void 0&&i.reflect===!0){let s=(i.converter?.toAttribute!==void 0?i.converter:Xn).toAttribute(n,i.type);this._$Em=t,s==null?this.removeAttribute(r):this.setAttribute(r,s),this._$Em=null}}_$AK(t,n){let i=this.constructor,r=i._$Eh.get(t);if(r!==void 0&&this._$Em!==r){let s=i.getPropertyOptions(r),o=typeof s.converter=="function"?{fromAttribute:s.converter}:s.converter?.fromAttribute!==void 0?s.converter:Xn;this._$Em=r;let a=o.fromAttribute(n,s.type);this[r]=a??this._$Ej?.get(r)??a,this._$Em=null}}requestUpdate(t,n,i,r=!1,s){if(t!==void 0){let o=this.constructor;if(r===!1&&(s=this[t]),i??=o.getPropertyOptions(t),!((i.hasChanged??xr)(s,n)||i.useDefault&&i.reflect&&s===this._$Ej?.get(t)&&!this.hasAttribute(o._$Eu(t,i))))return;this.C(t,n,i)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(t,n,{useDefault:i,reflect:r,wrapped:s},o){i&&!(this._$Ej??=new Map).has(t)&&(this._$Ej.set(t,o??n??this[t]),s!==!0||o!==void 0)||(this._$AL.has(t)||(this.hasUpdated||i||(n=void 0),this._$AL.set(t,n)),r===!0&&this._$Em!==t&&(this._$Eq??=new Set).add(t))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let t=this.scheduleUpdate();return t!=null&&await t,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,s]of this._$Ep)this[r]=s;this._$Ep=void 0}let i=this.constructor.elementProperties;if(i.size>0)for(let[r,s]of i){let{wrapped:o}=s,a=this[r];o!==!0||this._$AL.has(r)||a===void 0||this.C(r,void 0,s,a)}}let t=!1,n=this._$AL;try{t=this.shouldUpdate(n),t?(this.willUpdate(n),this._$EO?.forEach(i=>i.hostUpdate?.()),this.update(n)):this._$EM()}catch(i){throw t=!1,this._$EM(),i}t&&this._$AE(n)}willUpdate(t){}_$AE(t){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(t)),this.updated(t)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(t){return!0}update(t){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(t){}firstUpdated(t){}};Se.elementStyles=[],Se.shadowRootOptions={mode:"open"},Se[vt("elementProperties")]=new Map,Se[vt("finalized")]=new Map,ka?.({ReactiveElement:Se}),(Yt.reactiveElementVersions??=[]).push("2.1.2");var ti=globalThis,yr=e=>e,Zt=ti.trustedTypes,wr=Zt?Zt.createPolicy("lit-html",{createHTML:e=>e}):void 0,ni="$lit$",Te=`lit$${Math.random().toFixed(9).slice(2)}$`,ii="?"+Te,xa=`<${ii}>`,Qe=document,Ct=()=>Qe.createComment(""),St=e=>e===null||typeof e!="object"&&typeof e!="function",ri=Array.isArray,Er=e=>ri(e)||typeof e?.[Symbol.iterator]=="function",ei=`[ 	
\f\r]`,$t=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,vr=/-->/g,$r=/>/g,We=RegExp(`>|${ei}(?:([^\\s"'>=/]+)(${ei}*=${ei}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Cr=/'/g,Sr=/"/g,_r=/^(?:script|style|textarea|title)$/i,si=e=>(t,...n)=>({_$litType$:e,strings:t,values:n}),g=si(1),X=si(2),rd=si(3),ie=Symbol.for("lit-noChange"),y=Symbol.for("lit-nothing"),Tr=new WeakMap,Ve=Qe.createTreeWalker(Qe,129);function Ar(e,t){if(!ri(e)||!e.hasOwnProperty("raw"))throw Error("invalid template strings array");return wr!==void 0?wr.createHTML(t):t}var Br=(e,t)=>{let n=e.length-1,i=[],r,s=t===2?"<svg>":t===3?"<math>":"",o=$t;for(let a=0;a<n;a++){let l=e[a],c,u,d=-1,m=0;for(;m<l.length&&(o.lastIndex=m,u=o.exec(l),u!==null);)m=o.lastIndex,o===$t?u[1]==="!--"?o=vr:u[1]!==void 0?o=$r:u[2]!==void 0?(_r.test(u[2])&&(r=RegExp("</"+u[2],"g")),o=We):u[3]!==void 0&&(o=We):o===We?u[0]===">"?(o=r??$t,d=-1):u[1]===void 0?d=-2:(d=o.lastIndex-u[2].length,c=u[1],o=u[3]===void 0?We:u[3]==='"'?Sr:Cr):o===Sr||o===Cr?o=We:o===vr||o===$r?o=$t:(o=We,r=void 0);let p=o===We&&e[a+1].startsWith("/>")?" ":"";s+=o===$t?l+xa:d>=0?(i.push(c),l.slice(0,d)+ni+l.slice(d)+Te+p):l+Te+(d===-2?a:p)}return[Ar(e,s+(e[n]||"<?>")+(t===2?"</svg>":t===3?"</math>":"")),i]},Tt=class e{constructor({strings:t,_$litType$:n},i){let r;this.parts=[];let s=0,o=0,a=t.length-1,l=this.parts,[c,u]=Br(t,n);if(this.el=e.createElement(c,i),Ve.currentNode=this.el.content,n===2||n===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(r=Ve.nextNode())!==null&&l.length<a;){if(r.nodeType===1){if(r.hasAttributes())for(let d of r.getAttributeNames())if(d.endsWith(ni)){let m=u[o++],p=r.getAttribute(d).split(Te),w=/([.?@])?(.*)/.exec(m);l.push({type:1,index:s,name:w[2],strings:p,ctor:w[1]==="."?en:w[1]==="?"?tn:w[1]==="@"?nn:Ge}),r.removeAttribute(d)}else d.startsWith(Te)&&(l.push({type:6,index:s}),r.removeAttribute(d));if(_r.test(r.tagName)){let d=r.textContent.split(Te),m=d.length-1;if(m>0){r.textContent=Zt?Zt.emptyScript:"";for(let p=0;p<m;p++)r.append(d[p],Ct()),Ve.nextNode(),l.push({type:2,index:++s});r.append(d[m],Ct())}}}else if(r.nodeType===8)if(r.data===ii)l.push({type:2,index:s});else{let d=-1;for(;(d=r.data.indexOf(Te,d+1))!==-1;)l.push({type:7,index:s}),d+=Te.length-1}s++}}static createElement(t,n){let i=Qe.createElement("template");return i.innerHTML=t,i}};function Ke(e,t,n=e,i){if(t===ie)return t;let r=i!==void 0?n._$Co?.[i]:n._$Cl,s=St(t)?void 0:t._$litDirective$;return r?.constructor!==s&&(r?._$AO?.(!1),s===void 0?r=void 0:(r=new s(e),r._$AT(e,n,i)),i!==void 0?(n._$Co??=[])[i]=r:n._$Cl=r),r!==void 0&&(t=Ke(e,r._$AS(e,t.values),r,i)),t}var Xt=class{constructor(t,n){this._$AV=[],this._$AN=void 0,this._$AD=t,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(t){let{el:{content:n},parts:i}=this._$AD,r=(t?.creationScope??Qe).importNode(n,!0);Ve.currentNode=r;let s=Ve.nextNode(),o=0,a=0,l=i[0];for(;l!==void 0;){if(o===l.index){let c;l.type===2?c=new ot(s,s.nextSibling,this,t):l.type===1?c=new l.ctor(s,l.name,l.strings,this,t):l.type===6&&(c=new rn(s,this,t)),this._$AV.push(c),l=i[++a]}o!==l?.index&&(s=Ve.nextNode(),o++)}return Ve.currentNode=Qe,r}p(t){let n=0;for(let i of this._$AV)i!==void 0&&(i.strings!==void 0?(i._$AI(t,i,n),n+=i.strings.length-2):i._$AI(t[n])),n++}},ot=class e{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,n,i,r){this.type=2,this._$AH=y,this._$AN=void 0,this._$AA=t,this._$AB=n,this._$AM=i,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let t=this._$AA.parentNode,n=this._$AM;return n!==void 0&&t?.nodeType===11&&(t=n.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(t,n=this){t=Ke(this,t,n),St(t)?t===y||t==null||t===""?(this._$AH!==y&&this._$AR(),this._$AH=y):t!==this._$AH&&t!==ie&&this._(t):t._$litType$!==void 0?this.$(t):t.nodeType!==void 0?this.T(t):Er(t)?this.k(t):this._(t)}O(t){return this._$AA.parentNode.insertBefore(t,this._$AB)}T(t){this._$AH!==t&&(this._$AR(),this._$AH=this.O(t))}_(t){this._$AH!==y&&St(this._$AH)?this._$AA.nextSibling.data=t:this.T(Qe.createTextNode(t)),this._$AH=t}$(t){let{values:n,_$litType$:i}=t,r=typeof i=="number"?this._$AC(t):(i.el===void 0&&(i.el=Tt.createElement(Ar(i.h,i.h[0]),this.options)),i);if(this._$AH?._$AD===r)this._$AH.p(n);else{let s=new Xt(r,this),o=s.u(this.options);s.p(n),this.T(o),this._$AH=s}}_$AC(t){let n=Tr.get(t.strings);return n===void 0&&Tr.set(t.strings,n=new Tt(t)),n}k(t){ri(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,i,r=0;for(let s of t)r===n.length?n.push(i=new e(this.O(Ct()),this.O(Ct()),this,this.options)):i=n[r],i._$AI(s),r++;r<n.length&&(this._$AR(i&&i._$AB.nextSibling,r),n.length=r)}_$AR(t=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);t!==this._$AB;){let i=yr(t).nextSibling;yr(t).remove(),t=i}}setConnected(t){this._$AM===void 0&&(this._$Cv=t,this._$AP?.(t))}},Ge=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,n,i,r,s){this.type=1,this._$AH=y,this._$AN=void 0,this.element=t,this.name=n,this._$AM=r,this.options=s,i.length>2||i[0]!==""||i[1]!==""?(this._$AH=Array(i.length-1).fill(new String),this.strings=i):this._$AH=y}_$AI(t,n=this,i,r){let s=this.strings,o=!1;if(s===void 0)t=Ke(this,t,n,0),o=!St(t)||t!==this._$AH&&t!==ie,o&&(this._$AH=t);else{let a=t,l,c;for(t=s[0],l=0;l<s.length-1;l++)c=Ke(this,a[i+l],n,l),c===ie&&(c=this._$AH[l]),o||=!St(c)||c!==this._$AH[l],c===y?t=y:t!==y&&(t+=(c??"")+s[l+1]),this._$AH[l]=c}o&&!r&&this.j(t)}j(t){t===y?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,t??"")}},en=class extends Ge{constructor(){super(...arguments),this.type=3}j(t){this.element[this.name]=t===y?void 0:t}},tn=class extends Ge{constructor(){super(...arguments),this.type=4}j(t){this.element.toggleAttribute(this.name,!!t&&t!==y)}},nn=class extends Ge{constructor(t,n,i,r,s){super(t,n,i,r,s),this.type=5}_$AI(t,n=this){if((t=Ke(this,t,n,0)??y)===ie)return;let i=this._$AH,r=t===y&&i!==y||t.capture!==i.capture||t.once!==i.once||t.passive!==i.passive,s=t!==y&&(i===y||r);r&&this.element.removeEventListener(this.name,this,i),s&&this.element.addEventListener(this.name,this,t),this._$AH=t}handleEvent(t){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)}},rn=class{constructor(t,n,i){this.element=t,this.type=6,this._$AN=void 0,this._$AM=n,this.options=i}get _$AU(){return this._$AM._$AU}_$AI(t){Ke(this,t)}},Ir={M:ni,P:Te,A:ii,C:1,L:Br,R:Xt,D:Er,V:Ke,I:ot,H:Ge,N:tn,U:nn,B:en,F:rn},ya=ti.litHtmlPolyfillSupport;ya?.(Tt,ot),(ti.litHtmlVersions??=[]).push("3.3.3");var Mr=(e,t,n)=>{let i=n?.renderBefore??t,r=i._$litPart$;if(r===void 0){let s=n?.renderBefore??null;i._$litPart$=r=new ot(t.insertBefore(Ct(),s),s,void 0,n??{})}return r._$AI(e),r};var oi=globalThis,ye=class extends Se{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let t=super.createRenderRoot();return this.renderOptions.renderBefore??=t.firstChild,t}update(t){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(t),this._$Do=Mr(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return ie}};ye._$litElement$=!0,ye.finalized=!0,oi.litElementHydrateSupport?.({LitElement:ye});var wa=oi.litElementPolyfillSupport;wa?.({LitElement:ye});(oi.litElementVersions??=[]).push("4.2.2");var Ee={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},at=e=>(...t)=>({_$litDirective$:e,values:t}),Re=class{constructor(t){}get _$AU(){return this._$AM._$AU}_$AT(t,n,i){this._$Ct=t,this._$AM=n,this._$Ci=i}_$AS(t,n){return this.update(t,n)}update(t,n){return this.render(...n)}};var{I:va}=Ir,Pr=e=>e;var Rr=e=>e.strings===void 0,Lr=()=>document.createComment(""),lt=(e,t,n)=>{let i=e._$AA.parentNode,r=t===void 0?e._$AB:t._$AA;if(n===void 0){let s=i.insertBefore(Lr(),r),o=i.insertBefore(Lr(),r);n=new va(s,o,e,e.options)}else{let s=n._$AB.nextSibling,o=n._$AM,a=o!==e;if(a){let l;n._$AQ?.(e),n._$AM=e,n._$AP!==void 0&&(l=e._$AU)!==o._$AU&&n._$AP(l)}if(s!==r||a){let l=n._$AA;for(;l!==s;){let c=Pr(l).nextSibling;Pr(i).insertBefore(l,r),l=c}}}return n},ze=(e,t,n=e)=>(e._$AI(t,n),e),$a={},sn=(e,t=$a)=>e._$AH=t,zr=e=>e._$AH,on=e=>{e._$AR(),e._$AA.remove()};var Fe=at(class extends Re{constructor(e){if(super(e),e.type!==Ee.PROPERTY&&e.type!==Ee.ATTRIBUTE&&e.type!==Ee.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Rr(e))throw Error("`live` bindings can only contain a single expression")}render(e){return e}update(e,[t]){if(t===ie||t===y)return t;let n=e.element,i=e.name;if(e.type===Ee.PROPERTY){if(t===n[i])return ie}else if(e.type===Ee.BOOLEAN_ATTRIBUTE){if(!!t===n.hasAttribute(i))return ie}else if(e.type===Ee.ATTRIBUTE&&n.getAttribute(i)===t+"")return ie;return sn(e),t}});var Fr=(e,t,n)=>{let i=new Map;for(let r=t;r<=n;r++)i.set(e[r],r);return i},an=at(class extends Re{constructor(e){if(super(e),e.type!==Ee.CHILD)throw Error("repeat() can only be used in text expressions")}dt(e,t,n){let i;n===void 0?n=t:t!==void 0&&(i=t);let r=[],s=[],o=0;for(let a of e)r[o]=i?i(a,o):o,s[o]=n(a,o),o++;return{values:s,keys:r}}render(e,t,n){return this.dt(e,t,n).values}update(e,[t,n,i]){let r=zr(e),{values:s,keys:o}=this.dt(t,n,i);if(!Array.isArray(r))return this.ut=o,s;let a=this.ut??=[],l=[],c,u,d=0,m=r.length-1,p=0,w=s.length-1;for(;d<=m&&p<=w;)if(r[d]===null)d++;else if(r[m]===null)m--;else if(a[d]===o[p])l[p]=ze(r[d],s[p]),d++,p++;else if(a[m]===o[w])l[w]=ze(r[m],s[w]),m--,w--;else if(a[d]===o[w])l[w]=ze(r[d],s[w]),lt(e,l[w+1],r[d]),d++,w--;else if(a[m]===o[p])l[p]=ze(r[m],s[p]),lt(e,r[d],r[m]),m--,p++;else if(c===void 0&&(c=Fr(o,p,w),u=Fr(a,d,m)),c.has(a[d]))if(c.has(a[m])){let B=u.get(o[p]),R=B!==void 0?r[B]:null;if(R===null){let $=lt(e,r[d]);ze($,s[p]),l[p]=$}else l[p]=ze(R,s[p]),lt(e,r[d],R),r[B]=null;p++}else on(r[m]),m--;else on(r[d]),d++;for(;p<=w;){let B=lt(e,l[w+1]);ze(B,s[p]),l[p++]=B}for(;d<=m;){let B=r[d++];B!==null&&on(B)}return this.ut=o,sn(e,l),ie}});var Or=le`
.code {
border: 1px solid var(--_hair);
border-radius: var(--_radius-small);
background: var(--_sunken);
overflow: hidden;
}
.code .bar {
display: flex;
align-items: center;
justify-content: space-between;
gap: 0.5rem;
padding-inline: 0.9rem 0.25rem;
border-block-end: 1px solid var(--_hair);
direction: ltr;
}
.language {
min-inline-size: 0;
overflow: hidden;
color: var(--_muted);
font-family: var(--_mono);
font-size: 0.8125rem;
text-overflow: ellipsis;
white-space: nowrap;
}
.code pre {
border-radius: 0;
background: none;
}
.code pre:focus-visible {
outline-offset: -2px;
}
:is(.code, .actions) button {
gap: 0.35rem;
min-block-size: 2rem;
padding: 0.2rem 0.6rem;
font-size: 0.8125rem;
font-weight: 450;
}
:is(.code, .actions) button svg {
inline-size: 1.05rem;
block-size: 1.05rem;
}
.after,
[data-done] .before {
display: none;
}
[data-done] .after {
display: inline;
}
.actions {
display: flex;
flex-wrap: wrap;
gap: 0.25rem;
margin-block-start: -0.4rem;
margin-inline-start: -0.6rem;
}
.text li.task {
list-style: none;
margin-inline-start: -1.3rem;
}
.box {
margin-inline-end: 0.4rem;
}
.text del {
color: var(--_muted);
}
.mark {
display: flex;
flex-wrap: wrap;
align-items: center;
gap: 0.4rem 0.55rem;
padding: 0.4rem 0.5rem 0.4rem 0.75rem;
border-inline-start: 3px solid currentColor;
border-radius: var(--_radius-small);
background: color-mix(in srgb, currentColor 8%, var(--_background));
font-size: 0.9rem;
}
.mark.failed {
color: var(--_danger);
}
.mark.stopped {
color: var(--_muted);
}
.mark span {
flex: 1 1 12rem;
min-inline-size: 0;
}
.mark button {
min-block-size: 2.1rem;
padding: 0.2rem 0.75rem;
}
.service {
color: var(--_muted);
font-size: 0.8125rem;
font-weight: 400;
}
.name > .service {
display: inline-block;
margin-inline-start: 0.35rem;
}
@container (max-width: 30rem) {
.name > .service {
display: block;
margin: 0;
}
}
.folded {
display: grid;
gap: 0.35rem;
padding: 0.1rem 0.5rem 0.6rem;
}
.folded .tool summary {
min-block-size: 2.1rem;
}
@media (forced-colors: active) {
.code,
.mark {
border: 1px solid CanvasText;
}
}
`;var Dr="AbGdRbIMByWFWBbOCGEHBBBUBiVCgKBbMCbYCDBcDIbBEGRWBhKBbWCcHCdXOcHCbXCPBbCCBBLFbFJcWBgFBICCCWBHBBDECJCCCEIBECBFCZCDBGECCWBHBCBCBCCBBFECCDDBHEBBHRKDBJBDBWBHBCBFCKBDBDCBPECMHHBDBICCCWBHBCBFCJCCCDHDECBFCSKCBGDDBEDCBBBCDCDDDMEFDDBECBGBOVFNBDBXBQCJBDBEHCBDCBCECKHWBDBXBKBFCJBDBEHCGCBECKBDMNBDBbZBDBGEQCbABDBSDYBJBBCHDBEGBBBIGKCDMcGEbDbLCBBBFBYBBBXCFBBBHBKCEbGcUBbKEbNBbKBPBNbLhQBBFBCfNCiYBECHBBBECbPBECbHBECHBBBECPBcFBECcPCbGDbAGdICGCyQBbCDdLHWJYJUMNBDBCMcACbOCKGKGLFKGdLHbRFcSKbFBMEMEBDbQCFLbSEbAGLDcKCcNBbDCLGKGOCOBQbXcZDbVBeMIcIDPDcIHbRCLIEBNHSFuOCGCbMCGCIBBBBBBBbFCcBBPBOCGBTCDBJRYIbVRCCbBBNDbHPCCEDCEBFDCFPfKEzNZLVbjSBbhZCbGBnLFbTBBFBCcEHCOYJHBHBHBHBHBHBHBHBeWbIbABdLMiGbAMFcKCdICdZFbRBbZBbQBdGMbVBbriRDcDJnKUbWDfDIhVFCBBBFYcHDKGcEIcSIMGeMLbEDdABLEbHBcDJOCKCdZYbCKGCGCGJHBHBcIEeWCKGqnSMXEbXmnCoCCeCbMHMFFbABFBBBCBCBeVQrDCcCHBbGQQKGbZBTBEEFBfFEgDBbEDGCGCGCDDHBHOBCMBbABTBCBPCObIeTFDEbTDdKBNDBbVbUfAbDDbXPbCEbKJbEFbRFbEBbLEObQgCCKGbKEbKEbOIcALMBPBHBCBLBPBHBCcPlZJWKIYGBbQBJcRGCBBbSBCDBCXBcUIJbWTBCFbHDbBFBcMcEEUCbYBCFIBDBbDCBBBEKHJHcMbGbNEMJcCDbDCbBFbAHEMHdCcVcDbZNbZHbUIKlIbFBbQBDCCcXbRIbQWbAbMbCUXJdAEbKJcKBFNZHKGcBBSIbNJdSBULSBbVcKHBBBEBPBLGcHFKGEBICCCWBHBCBFBKCCCDCBGBFHCHDFfJdOBFbEcUIKgKcCCbMbIcRLKGNTcGGKcCbBCPEXhDcIdWdFMICBCIBCBbEBCCMJKcSICbUCLbBcUIdFNcVHKjMJBbTBOKbDDbGCWBOcVHBCBbSDBBCBJIKGGBCBbLBCBGHKlYZHRBbPDbCdIBPbYNbjNdYeHBFLhOdxKdVNbpGQBCTfyGwLmuBvXHbFBKEdDBKGbEHBKcSKKBHBVFTbaMdNdXcXEcFHRcMEMCOjcAIbvQbQJnfREBHBCBlFPBbDDCBOEIpGdkUeDFNDJHKCCBBgyYbUCXJeMcIjMKbNCbWBNDJIeIVcSeSUMUMdJJZfFdHBcTBCCBCCCEBMBBBHBcNBECIBHBbCBEBFBBDHBnCClGCbbAPFBPbqMbFGGiFHBRCHBCBFFcKbHBeIbTDOCKECmIbFRcGFBrWbQbcOHBEBCBPBhPCQbPcYEKECbeFcQcYcJhMEBbBBCBBCBBKBEBBBBGBEBBBBBBDBCBBCBBBBBBBBBBCBBCEBHBEBEBBBKBRFDBFBRcACkKbSEdWMPCPBPBbLKgScEbDNbSEJHCOGfYblWERDNDePEdRGMEBPMEcEIKGbOIbECCdAnCMOCNDJHbUBHIOEJHJHfRBcDbLKbnQclfCbGgdUGiOCinQOlbLepJuWcfYhhZFgfGbzrtG";var ln;function cn(e){if(!ln){let i=0,r=s=>[...s.toLowerCase()].reduce((o,a)=>26*o+a.charCodeAt(0)-97,0);ln=Dr.match(/[a-z]*[A-Z]/g).map(s=>i+=r(s))}let[t,n]=[0,ln.length];for(;t<n;){let i=t+n>>1;ln[i]<=e?t=i+1:n=i}return t%2===1}function Ca(e){return cn(e)&&!/[\p{Zs}\u200c\u200d\u20e3\ufe0e\ufe0f]/u.test(String.fromCodePoint(e))}var ut=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function ai(e){return ut.test(e)?"rtl":"ltr"}var Sa=/^(?=.{0,6}$)(?!.*(.)\1)(\P{Mn}*\p{Mn}){0,4}\P{Mn}*$/u;function li(e,t){if(/^[ -~]*$/.test(e))return e;let n="",i;for(let[r]of e.matchAll(/\\(?:u[\da-fA-F]{0,4}|[\\bfnrt])|[^]/gu)){let s=t(r.codePointAt(0)),o=/\p{M}/u.test(r);s?i=void 0:o?i=i!==void 0&&Sa.test(i+r)?i+r:void 0:/[\u200c\u200d]/.test(r)||(i=/^[\p{L}\p{N}\p{S}]/u.test(r)?"":void 0),n+=s||o&&i===void 0?qr(r):r}return n}function qr(e){return Array.from({length:e.length},(t,n)=>"\\u"+e.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function W(e){return Ea(li(e,cn))}function dn(e){let t=W(e);return ut.test(t)?`⁨${t}⁩`:t}var Nr=e=>e!==9&&e!==10;function fe(e){return li(e,t=>Nr(t)&&cn(t))}var Ta=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function ge(e){return li(e.replace(Ta,""),t=>Nr(t)&&Ca(t))}function Ea(e){return ut.test(e)?e.split(`
`).map(t=>_a(t)?t:Array.from(t,n=>ut.test(n)?qr(n):n).join("")).join(`
`):e}function _a(e){let t=0,n=!1;for(let{kind:i,text:r}of ui(e)){let s=/\p{L}/u.test(r);if(i==="phrase")t++;else{if(/\p{N}/u.test(r)||s&&t>0&&!n)return!1;s&&(n=!0)}}return t<=1}var un=ut.source,Hr=`(?:(?!\\p{N})${un}|\\p{M})`,Aa=new RegExp(`(?<number>(?:(?=\\p{N})${un})+)|(?<phrase>(?=${un})${Hr}+(?:[,.;:!?]? (?=${un})${Hr}+)*)`,"gu");function ui(e){let t=[],n=0,i=r=>{r>n&&t.push({text:e.slice(n,r)})};for(let r of e.matchAll(Aa))i(r.index),t.push({kind:r.groups.number===void 0?"phrase":"number",text:r[0]}),n=r.index+r[0].length;return i(e.length),t}function Ur(e){return e.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(t,n,i,r)=>{let s=r===void 0?[n,i]:[r];if(s[0]===void 0)return t;let o=String.fromCharCode(...s.map(a=>parseInt(a,16)));return ut.test(o)&&!cn(o.codePointAt(0))?o:t})}function _e(e){try{return JSON.parse(e)}catch{return}}function q(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)?e:void 0}function ue(e){return Array.isArray(e)?e:[]}function C(e){return typeof e=="string"?e:void 0}function pn(e){if(_e(e)===void 0)return fe(e);let t="",n=0,i=()=>`
`+"  ".repeat(n);for(let r of e.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(r){case"{":case"[":n++,t+=r+i();break;case"}":case"]":n--,t=/[{[]\s*$/.test(t)?t.trimEnd()+r:t+i()+r;break;case",":t+=r+i();break;case":":t+=": ";break;default:t+=fe(r)}return t}function jr(e){if(typeof e=="string")return _e(e)===void 0?fe(e):pn(e);let t=JSON.stringify(e);return t===void 0?"":pn(t)}var Wr="conversation_too_long",hn=({trigger:e})=>e==="approvers";function fn(e){return e?.context.serviceTitle?.trim()||e?.context.service?.trim()||""}function _t(e){let t=q(e),n=C(t?.elicitationId),i=t?.mode;if(!(!t||!n||i!=="form"&&i!=="url"))return{elicitationId:n,mode:i,message:C(t.message)??"",url:C(t.url),requestedSchema:t.requestedSchema,fieldOrder:t.fieldOrder===void 0?void 0:ue(t.fieldOrder).flatMap(r=>C(r)??[]),expiresAt:C(t.expiresAt),context:Ia(q(t.context)??{}),approvers:Ba(t.approvers),outcome:Ma(t.outcome)}}function Ba(e){let t=q(e),n=t?.need;if(!t||typeof n!="number")return;let i=ue(t.people).flatMap(r=>{let s=q(r),o=C(s?.name);if(!s||!o)return[];let a=C(s.decision);return[{name:o,decision:a,late:a===void 0&&C(s.at)!==void 0,withdrawn:C(s.withdrawn)!==void 0}]});return{need:n,people:i}}function Ia(e){let t=e.arguments;return{trigger:C(e.trigger),service:C(e.service),serviceTitle:C(e.serviceTitle),account:C(e.account),tool:C(e.tool),toolCallId:C(e.toolCallId),parentToolCallId:C(e.parentToolCallId),arguments:typeof t=="string"||t===void 0?t:JSON.stringify(t),server:C(e.server),domain:C(e.domain),settledBy:C(e.settledBy)}}function Ma(e){let t=q(e);if(!t)return;let n=Object.entries(q(t.limits)??{}).flatMap(([o,a])=>typeof a=="string"?[[o,a]]:[]),i={via:C(t.via),reason:C(t.reason),at:C(t.at),decision:C(t.decision),limits:n.length>0?Object.fromEntries(n):void 0},r=t.action;return r==="accept"||r==="decline"||r==="cancel"||r==="expire"?{action:r,by:C(t.by),...i}:{action:"cancel",...i}}function Vr(e){let t=q(e)??{},n=[];ue(t.messages).forEach((r,s)=>{let o=Pa(r,s);o&&n.push(o)});let i=ue(t.activeMessages).flatMap(r=>C(r)??[]);return{messages:n,active:t.active===!0,activeMessages:i}}function Pa(e,t){let n=q(e),i=n?.role;if(!n||i!=="user"&&i!=="assistant")return;let r=[];if(ue(n.parts).forEach((s,o)=>{let a=La(q(s)??{},o);a?r.push(a):di(r,C(q(s)?.type)??"",q(s)?.data)}),r.length!==0)return{id:C(n.id)??`history-${t}`,role:i,parts:r}}function La(e,t){let n=C(e.type)??"";if(n==="text"){let i=C(e.text);return i?{kind:"text",id:`text-${t}`,text:i,open:!1}:void 0}if(n.startsWith("data-"))return ci(n,e.data,C(e.id)??`data-${t}`);if(n==="dynamic-tool"||n.startsWith("tool-"))return Oa(n,e)}function ci(e,t,n){let i=q(t);switch(e){case"data-elicitation-request":{let r=_t(t);return r&&{kind:"question",id:r.elicitationId,question:r}}case"data-warning":{let r=C(i?.message),s=i?.ended;return s==="failed"||s==="stopped"?{kind:"mark",id:"mark",how:s,text:r??"",code:C(i?.code)}:r?{kind:"notice",id:n,text:r}:void 0}case"data-tool-auth-required":{let r=C(i?.message);return r?{kind:"notice",id:n,text:r,link:C(i?.authLink)}:void 0}}}function di(e,t,n){let i=q(n),r=e.find(o=>o.kind==="tool"&&o.id===i?.toolCallId);if(!i||!r)return;let s=o=>typeof o=="number"&&Number.isFinite(o)?o:void 0;switch(t){case"data-tool-title":r.title=C(i.title)??r.title,r.service=C(i.service),r.serviceTitle=C(i.serviceTitle);break;case"data-tool-content":r.content=ue(i.items).slice(0,Ra).flatMap(za);break;case"data-tool-progress":r.progress={done:s(i.progress)??0,total:s(i.total),message:C(i.message),service:C(i.serviceTitle)??C(i.service)}}}var Ra=50;function za(e){let t=q(e),n=C(t?.type);if(!t||!n)return[];let i=r=>C(t[r]);return[{type:n,id:i("id"),name:i("name"),title:i("title"),description:i("description"),url:i("url"),uri:i("uri")}]}var Fa={"input-streaming":"writing","input-available":"running","approval-requested":"asking","approval-responded":"running","output-available":"done","output-error":"failed","output-denied":"denied"};function Oa(e,t){let n=C(t.toolCallId);if(!n)return;let i=e==="dynamic-tool"?C(t.toolName):e.slice(5),r={kind:"tool",id:n,name:i??"",title:C(t.title),service:C(t.service),serviceTitle:C(t.serviceTitle),state:Fa[C(t.state)??""]??"running"};t.input!==void 0&&(r.input=Et(t.input)),t.output!==void 0&&(r.output=Et(t.output));let s=C(t.errorText);return s!==void 0&&(r.error=s),r}function Et(e){return typeof e=="string"?e:JSON.stringify(e)??""}var ce=class extends Error{constructor(n,i,r=[]){super(i??`status ${n}`);this.status=n;this.said=i;this.fields=r}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}},mn=class{constructor(t,n,i=()=>{}){this.access=t;this.clock=n;this.heard=i}access;clock;heard;async send(t,n){return Qr(await this.#e("/run/api/chat",{method:"POST",body:JSON.stringify(t),signal:n}))}async stream(t,n,i){let r=i===void 0?"":`?message=${encodeURIComponent(i)}`,s=await this.#e(`/run/api/chat/${encodeURIComponent(t)}/stream${r}`,{signal:n});return s.status===204?void 0:Qr(s)}async halt(t){await this.#e(`/run/api/chat/${encodeURIComponent(t)}/stream`,{method:"DELETE",keepalive:!0})}async history(t,n){try{let i=await this.#e(`/run/api/chat/${encodeURIComponent(t)}`,{signal:n});return Vr(_e(await i.text()))}catch(i){if(i instanceof ce&&i.status===404)return{messages:[],active:!1,activeMessages:[]};throw i}}async picture(t,n){let r=await(await this.#e(`/run/api/chat/${encodeURIComponent(t)}/files/${encodeURIComponent(n)}`,{})).blob();if(/^image\/(png|jpeg|gif|webp)$/.test(r.type))return new Promise((s,o)=>{let a=new FileReader;a.onload=()=>s(typeof a.result=="string"?a.result:void 0),a.onerror=()=>o(a.error),a.readAsDataURL(r)})}async#e(t,n){let i=await Gr(this.access().base+t,this.access(),n);this.clock.note(i.headers.get("date"));let r=i.headers.get("x-parley-account");if(r&&this.heard(r,n.method??"GET"),!i.ok)throw await Jr(i);return i}};function Qr(e){if(e.body&&e.headers.get("content-type")?.startsWith("text/event-stream"))return e;throw e.body?.cancel(),new ce(e.status,void 0)}async function Kr(e,t,n,i){let r=JSON.stringify({conversationId:n,...i}),s=await Gr(e,t,{method:"POST",body:r});if(!s.ok)throw await Jr(s)}async function Gr(e,t,n){let i=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&i.set("content-type","application/json");let r=t.token||await t.getToken?.();return r&&i.set("authorization",`Bearer ${r}`),fetch(e,{...n,headers:i,cache:"no-store",credentials:r?"same-origin":"include"})}async function Jr(e){let t=q(_e(await e.text().catch(()=>""))),n=t?.error,i=[];for(let r of ue(t?.fields)){let s=C(q(r)?.message),o=(C(q(r)?.field)??"").replace(/\[\d+\]$/,"");s&&i.push({field:o,message:s})}return new ce(e.status,C(n)??C(q(n)?.message),i)}var Yr=le`
:host {
display: flex;
flex-direction: column;
block-size: 100%;
min-block-size: 16rem;
background: var(--_background);
container-type: inline-size;
}
.head {
display: flex;
align-items: center;
gap: 0.75rem;
padding: 0.6rem 0.75rem 0.6rem 1.25rem;
border-block-end: 1px solid var(--_hair);
}
.head h2,
.head .heading {
flex: 1;
min-inline-size: 0;
font-size: 1.05em;
font-weight: 650;
}
.log {
position: relative;
flex: 1;
min-block-size: 0;
overflow-y: auto;
overscroll-behavior: contain;
scrollbar-gutter: stable both-edges;
}
.log:focus-visible {
outline-offset: -2px;
}
.column {
display: grid;
gap: 1.1rem;
max-inline-size: 46rem;
margin-inline: auto;
padding: 1.25rem;
}
.column:has(.empty) {
align-content: center;
min-block-size: 100%;
}
.empty {
color: var(--_muted);
text-align: center;
text-wrap: balance;
}
.suggestions {
display: flex;
flex-wrap: wrap;
justify-content: center;
gap: 0.5rem;
margin-block-start: 1rem;
}
.suggestions button {
max-inline-size: 100%;
font-weight: 450;
}
.message {
display: grid;
gap: 0.75rem;
min-inline-size: 0;
}
.message > * {
min-inline-size: 0;
}
.user {
justify-items: end;
gap: 0.2rem;
}
.bubble {
max-inline-size: 85%;
padding: 0.55rem 0.9rem;
border-radius: var(--_radius);
border-end-end-radius: 0.25rem;
background: var(--_bubble);
white-space: pre-wrap;
}
.user.sending .bubble {
opacity: 0.75;
}
.unsent {
color: var(--_danger);
font-size: 0.8125rem;
font-weight: 600;
}
.text {
display: grid;
gap: 0.65rem;
min-inline-size: 0;
}
.text > * {
min-inline-size: 0;
}
.text .heading {
font-size: 1.08em;
font-weight: 650;
}
.text ul,
.text ol {
padding-inline-start: 1.5rem;
}
.text li + li,
.text li > :is(ul, ol) {
margin-block-start: 0.25rem;
}
.text blockquote {
padding-inline-start: 0.8rem;
border-inline-start: 3px solid var(--_hair);
color: var(--_muted);
}
.text blockquote > * + *,
.text li > * + p {
margin-block-start: 0.5rem;
}
.table {
overflow-x: auto;
}
.table table {
border-collapse: collapse;
}
.table :is(th, td) {
padding: 0.3rem 0.6rem;
border: 1px solid var(--_hair);
text-align: start;
vertical-align: top;
}
.table th {
background: var(--_sunken);
font-weight: 600;
}
.table .left {
text-align: left;
}
.table .center {
text-align: center;
}
.table .right {
text-align: right;
}
.text hr {
inline-size: 100%;
border: 0;
border-block-start: 1px solid var(--_hair);
}
.text :not(pre) > code {
padding: 0.1em 0.3em;
border-radius: 0.3em;
background: var(--_sunken);
}
pre {
padding: 0.7rem 0.9rem;
border-radius: var(--_radius-small);
background: var(--_sunken);
overflow: auto;
direction: ltr;
text-align: left;
}
.tool-row {
display: grid;
gap: 0.4rem;
min-inline-size: 0;
}
.progress {
display: grid;
gap: 0.2rem;
padding-inline: 0.75rem;
color: var(--_muted);
font-size: 0.8125rem;
overflow-wrap: anywhere;
}
.progress progress {
inline-size: 100%;
block-size: 0.35rem;
accent-color: var(--_accent);
}
.content {
display: grid;
gap: 0.4rem;
margin: 0;
padding-inline: 0.75rem;
list-style: none;
font-size: 0.9rem;
overflow-wrap: anywhere;
}
.content img {
display: block;
max-inline-size: 100%;
max-block-size: 24rem;
border: 1px solid var(--_hair);
border-radius: var(--_radius-small);
}
.tool {
border: 1px solid var(--_hair);
border-radius: var(--_radius-small);
font-size: 0.9rem;
}
.tool summary {
display: flex;
align-items: center;
gap: 0.55rem;
min-block-size: 2.5rem;
padding: 0.3rem 0.75rem;
border-radius: inherit;
color: var(--_muted);
list-style: none;
cursor: pointer;
}
.tool summary::-webkit-details-marker {
display: none;
}
.tool summary:hover {
background: var(--_sunken);
}
.name {
flex: 1;
min-inline-size: 0;
color: var(--_text);
font-weight: 500;
}
.state {
display: inline-flex;
align-items: center;
gap: 0.35em;
font-size: 0.8125rem;
white-space: nowrap;
}
.state svg {
inline-size: 1.1em;
block-size: 1.1em;
}
.done .state {
color: var(--_success);
}
.failed .state,
.denied .state {
color: var(--_danger);
}
.asking .state {
color: var(--_warning);
}
.chevron svg {
inline-size: 1em;
block-size: 1em;
transition: rotate 0.15s;
}
.tool[open] > summary .chevron svg {
rotate: 90deg;
}
.call {
display: grid;
gap: 0.3rem;
padding: 0.2rem 0.75rem 0.75rem;
}
.call > * {
min-inline-size: 0;
}
.call pre {
max-block-size: 16rem;
margin-block-end: 0.4rem;
white-space: pre-wrap;
}
.caption {
color: var(--_muted);
font-size: 0.8125rem;
}
.spinner {
inline-size: 0.85em;
block-size: 0.85em;
border: 2px solid currentColor;
border-inline-end-color: transparent;
border-radius: 50%;
animation: turn 0.9s linear infinite;
}
@keyframes turn {
to {
rotate: 1turn;
}
}
.notice,
.banner {
display: flex;
align-items: flex-start;
gap: 0.55rem;
font-size: 0.9rem;
}
.notice {
color: var(--_warning);
}
.notice svg {
margin-block-start: 0.1em;
}
.thinking,
.quietly {
color: var(--_muted);
font-size: 0.9rem;
}
.thinking {
display: flex;
align-items: center;
gap: 0.55rem;
}
.dots {
display: inline-flex;
gap: 0.25rem;
}
.dots i {
inline-size: 0.4rem;
block-size: 0.4rem;
border-radius: 50%;
background: currentColor;
animation: pulse 1.2s infinite ease-in-out;
}
.dots i:nth-child(2) {
animation-delay: 0.15s;
}
.dots i:nth-child(3) {
animation-delay: 0.3s;
}
@keyframes pulse {
0%,
60%,
100% {
opacity: 0.35;
}
30% {
opacity: 1;
}
}
.foot {
position: relative;
inline-size: 100%;
max-inline-size: 46rem;
margin-inline: auto;
padding: 0.25rem 1.25rem 1rem;
padding-block-end: max(1rem, env(safe-area-inset-bottom));
}
.banner {
align-items: center;
flex-wrap: wrap;
margin-block-end: 0.6rem;
padding: 0.5rem 0.6rem 0.5rem 0.8rem;
border-radius: var(--_radius-small);
background: var(--_sunken);
color: var(--_muted);
}
.banner span {
flex: 1 1 12rem;
min-inline-size: 0;
}
.banner button {
min-block-size: 2.1rem;
padding: 0.2rem 0.75rem;
}
.banner.failure {
background: color-mix(in srgb, var(--_danger) 9%, var(--_background));
color: var(--_danger);
}
.jump {
position: absolute;
inset-block-end: calc(100% + 0.25rem);
inset-inline: 0;
inline-size: fit-content;
min-block-size: 2.25rem;
margin-inline: auto;
padding: 0.25rem 0.9rem;
border-radius: 99px;
box-shadow: 0 2px 10px rgb(0 0 0 / 18%);
font-size: 0.875rem;
z-index: 1;
}
.jump.asks {
border-color: var(--_accent);
background: var(--_accent);
color: var(--_accent-text);
}
.composer {
display: flex;
align-items: flex-end;
gap: 0.4rem;
padding: 0.35rem;
border: 1px solid var(--_line);
border-radius: var(--_radius);
background: var(--_surface);
}
.composer:focus-within {
border-color: var(--_accent);
outline: 1px solid var(--_accent);
}
.composer textarea {
flex: 1;
min-inline-size: 0;
min-block-size: 2.5rem;
max-block-size: 12rem;
padding: 0.5rem 0.65rem;
border: 0;
background: none;
outline: none;
resize: none;
field-sizing: content;
}
.composer textarea::placeholder {
color: var(--_muted);
opacity: 1;
}
.round {
flex: none;
inline-size: 2.5rem;
min-block-size: 2.5rem;
padding: 0;
border-radius: min(var(--_radius), 0.65rem);
}
.round[aria-disabled="true"] {
border-color: transparent;
background: var(--_sunken);
color: var(--_muted);
opacity: 1;
}
@container (max-width: 30rem) {
.column {
padding: 0.9rem;
}
.foot {
padding-inline: 0.75rem;
}
.bubble {
max-inline-size: 92%;
}
}
@media (forced-colors: active) {
.bubble,
pre,
.banner {
border: 1px solid CanvasText;
}
}
`;var ct=class{#e=0;now(){return Date.now()+this.#e}note(t){let n=Date.parse(t??"");if(Number.isNaN(n))return;let i=n+500-Date.now();this.#e=Math.abs(i)>2e3?i:0}},At=1e3,bn=60*At,gn=60*bn;function Zr(e){let t=Math.max(0,e),n=Math.round(t/gn);if(n>=48)return`${Math.floor(n/24)} d${n%24?` ${n%24} h`:""}`;if(t>=gn)return`${Math.floor(t/gn)} h ${Math.floor(t%gn/bn)} min`;let i=Math.ceil(t/At);return`${Math.floor(i/60)}:${String(i%60).padStart(2,"0")}`}var Da=[5*bn,bn,30*At,10*At];function Xr(e,t){let n=Da.filter(i=>e>i&&t<=i);return n.length>0&&t>0?Math.min(...n)/At:void 0}var pi=class{#e="";#t=[];#n=!1;push(t){!this.#n&&t!==""&&(this.#n=!0,t=t.replace(/^\ufeff/,""));let n=this.#e+t,i=[],r=/\r\n|\n|\r(?!$)/g,s=0;for(let o=r.exec(n);o;o=r.exec(n))this.#i(n.slice(s,o.index),i),s=r.lastIndex;return this.#e=n.slice(s),i}#i(t,n){t===""?(this.#t.length>0&&n.push(this.#t.join(`
`)),this.#t=[]):(t==="data"||t.startsWith("data:"))&&this.#t.push(t.slice(5).replace(/^ /,""))}};async function*es(e){let t=new pi,n=new TextDecoder,i=e.getReader();try{for(;;){let{done:r,value:s}=await i.read();if(r)return;yield t.push(n.decode(s,{stream:!0}))}}finally{i.cancel().catch(()=>{})}}var kn=class{constructor(t=()=>!1){this.elsewhere=t}elsewhere;message;ending;take(t){if(t.trim()==="[DONE]"){this.ending??={};return}let n=q(_e(t)),i=C(n?.type);!n||!i||(i.startsWith("text-")?this.#i(i,n):i.startsWith("tool-")?this.#s(i,n):i.startsWith("data-")?this.#l(i,n):this.#e(i,n))}#e(t,n){switch(t){case"start":this.message||(this.message={id:C(n.messageId)??ts(),role:"assistant",parts:[]});break;case"finish":this.ending??={},this.#r();break;case"abort":this.ending={stopped:!0},this.#r(),this.#t("stopped","");break;case"error":this.ending={error:C(n.errorText)??""},this.#r(),this.#t("failed",C(n.errorText)??"")}}#t(t,n){this.#n.some(i=>i.kind==="mark")||this.#n.push({kind:"mark",id:"mark",how:t,text:n})}get#n(){return this.message??={id:ts(),role:"assistant",parts:[]},this.message.parts}#i(t,n){let i=C(n.id)??"",r=this.#n.findLast(s=>s.kind==="text"&&s.id===i&&s.open);if(r?.kind!=="text"){if(t!=="text-start"&&t!=="text-delta")return;r={kind:"text",id:i,text:"",open:!0},this.#n.push(r)}t==="text-delta"&&(r.text+=C(n.delta)??""),t==="text-end"&&(r.open=!1)}#r(){for(let t of this.message?.parts??[])t.kind==="text"&&(t.open=!1)}#s(t,n){let i=C(n.toolCallId);if(!i)return;let r=this.#n.find(s=>s.kind==="tool"&&s.id===i);if(!r){let s=C(n.toolName);if(s===void 0||!t.startsWith("tool-input-"))return;r={kind:"tool",id:i,name:s,state:"writing"},this.#n.push(r)}r.title=C(n.title)??r.title,this.#a(r,t,n)}#a(t,n,i){switch(n){case"tool-input-delta":t.input=(t.input??"")+(C(i.inputTextDelta)??"");break;case"tool-input-available":t.state="running",t.input=Et(i.input);break;case"tool-approval-request":t.state="asking";break;case"tool-output-available":t.state=i.preliminary===!0?"running":"done",t.output=Et(i.output);break;case"tool-input-error":case"tool-output-error":t.state="failed",t.error=C(i.errorText)??"";break;case"tool-output-denied":t.state="denied"}}#l(t,n){if(t.startsWith("data-tool-")&&di(this.#n,t,n.data),t==="data-elicitation-request"){let s=_t(n.data);s&&this.#p(s);return}let i=ci(t,n.data,C(n.id)??`data-${this.#n.length}`);if(!i)return;let r=this.#n.findIndex(s=>s.kind===i.kind&&s.id===i.id);r>=0?this.#n[r]=i:this.#n.push(i)}#p(t){let n=t.elicitationId,i=this.#n.find(r=>r.kind==="question"&&r.id===n);i?.kind==="question"?i.question=t:this.elsewhere(t)||this.#n.push({kind:"question",id:n,question:t})}};function ts(){return`local-${Math.random().toString(36).slice(2)}`}function ns(e,t){return t.parts.every((n,i)=>{let r=e.parts[i];return r!==void 0&&(n.kind!=="text"||r.kind!=="text"||r.text.length>=n.text.length)})}var Ha=1500,xn=class{constructor(t){this.changed=t}changed;messages=[];#e=new Map;#t=new Set;get questions(){return this.messages.flatMap(t=>t.parts).flatMap(t=>t.kind==="question"&&!t.question.outcome?[t.question]:[])}writer(){let t={turn:new kn(n=>this.#r(t,n))};return this.#t.add(t),t}show(t){let n=t.turn.message;if(!n)return;this.#i(n);let i=this.messages.find(r=>r.id===n.id);i!==n&&(!i||t.turn.ending||ns(n,i)?this.#n(t):t.waiting??=setTimeout(()=>this.#n(t),Ha))}finish(t){this.#t.delete(t),t.waiting!==void 0&&t.turn.ending&&this.#n(t),clearTimeout(t.waiting),t.waiting=void 0}settle(t,n){this.#e.has(t)||this.#e.set(t,n);for(let i of this.messages)this.#i(i)}merge(t){let n=new Set(t.map(r=>r.id)),i=[...this.#t].flatMap(({turn:r})=>r.message?[r.message]:[]);this.messages=[...t.map(r=>i.find(s=>s.id===r.id)??r),...this.messages.filter(r=>!n.has(r.id)&&(r.status!==void 0||i.includes(r)))];for(let r of this.messages)this.#i(r)}#n(t){clearTimeout(t.waiting),t.waiting=void 0;let n=t.turn.message;if(!n)return;let i=this.messages.findIndex(r=>r.id===n.id);i>=0?this.messages[i]=n:this.messages.push(n),this.changed()}#i(t){for(let n of t.parts){if(n.kind!=="question")continue;let{outcome:i}=n.question;i?this.#e.set(n.id,i):this.#e.has(n.id)&&(n.question={...n.question,outcome:this.#e.get(n.id)})}}#r(t,n){for(let i of this.messages){if(i.id===t.turn.message?.id)continue;let r=i.parts.find(s=>s.kind==="question"&&s.id===n.elicitationId);if(r?.kind==="question")return r.question=n,this.#i(i),!0}return!1}};var qa=6e4,is=15e3,Na=5e3,yn=class{constructor(t,n,i,r){this.id=t;this.api=n;this.agent=i;this.changed=r;this.#e=new xn(r)}id;api;agent;changed;failure;loading=!1;lost=!1;trouble;stopped=!1;#e;#t=new Set;#n;#i;#r=!1;#s=!1;#a=new Set;#l=new Map;#p=new Map;picture(t){if(!this.#p.has(t)){this.#p.set(t,void 0);let n=i=>{this.#p.set(t,i??null),this.changed()};this.api.picture(this.id,t).then(n,()=>n(void 0))}return this.#p.get(t)}get messages(){return this.#e.messages}get questions(){return this.#e.questions}get busy(){return this.#t.size>0||this.lost}going(t){let n=t===this.messages.at(-1);return n&&(this.lost||this.loading)||this.#l.has(t.id)?!0:[...this.#t].some(({turn:i})=>!i.ending&&(i.message?i.message.id===t.id:n))}left(t){if(!this.stopped||t.parts.some(i=>i.kind==="mark"))return!1;let n=this.messages[this.messages.indexOf(t)-1];return this.#a.has(t.id)||n?.role==="user"&&this.#a.has(n.id)}open(){this.loading=this.#r=!0,this.#d(!0,0)}send(t){let n={id:Bt("msg"),role:"user",parts:[{kind:"text",id:"text",text:t,open:!1}]};this.#e.messages.push(n),this.#f(n,t)}stop(){this.#a=new Set(this.messages.filter(t=>this.going(t)).map(t=>t.id)),this.stopped=!0,this.busy&&this.#c(),this.#s=this.busy,this.close(),this.changed()}async#c(){try{await this.api.halt(this.id);for(let t of[0,500,2e3]){if(t>0&&await new Promise(s=>setTimeout(s,t)),!this.stopped)return;let{messages:n,active:i}=await this.api.history(this.id,new AbortController().signal);if(!this.stopped)return;this.#e.merge(n);let r=!i&&this.questions.length===0;if(r&&(this.stopped=this.#s=!1),this.changed(),r)return}}catch{}}resume(){let t=this.stopped;this.stopped=!1,this.failure=void 0,this.#i?this.#i():!this.#n&&this.#t.size===0&&this.#d(t,0),this.changed()}async retry(){let t=this.messages.findLast(i=>i.role==="user")?.parts.flatMap(i=>i.kind==="text"?[i.text]:[]).join(`
`);if(!t)return;if(this.busy||this.#n){!this.failure&&!this.going(this.messages.at(-1))&&this.send(t);return}let{signal:n}=this.#n=new AbortController;this.failure=void 0,this.stopped=!1,this.loading=!0,this.changed();try{let i=await this.api.history(this.id,n);if(n.aborted)return;this.#h(),this.#o(i),i.active?this.resume():this.send(t)}catch(i){if(n.aborted)return;this.#h();let r=i instanceof ce?i:void 0;this.failure={kind:r?"refused":"unreachable",status:r?.status,said:r?.said,again:()=>{this.retry()}}}this.changed()}identified(t){!(this.failure?.opening===!0&&this.failure.status===401)&&!(t&&(this.#r||this.messages.length>0))||(this.close(),this.#u())}settle(t,n){this.#e.settle(t,n),this.changed()}close(){this.#h();for(let t of this.#l.values())t.abort();this.#l.clear();for(let t of[...this.#t])this.#b(t)}async#f(t,n){this.failure=void 0,this.stopped=!1,t.status="sending",this.#i&&(this.#s=!0,this.#h());let i=this.#y();this.changed();try{let r=[{type:"text",text:n}],s={id:this.id,agent:this.agent||void 0,messages:[{id:t.id,role:"user",parts:r}]},o=await this.api.send(s,i.abort.signal);t.status=void 0,this.changed(),this.#m(i,await this.#$(i,o))}catch(r){t.status=this.#t.has(i)?"failed":void 0,t.status&&(this.failure=this.#x(t,n,r)),this.#b(i)}this.changed()}#x(t,n,i){let r=()=>{this.#f(t,n)};if(i instanceof ce)return{kind:"refused",status:i.status,said:i.said,again:r};let s=async()=>{this.failure=void 0,t.status="sending",this.changed();try{let o=await this.api.history(this.id,new AbortController().signal);if(!o.messages.some(a=>a.id===t.id))return r();this.#o(o),o.active&&this.resume()}catch(o){t.status="failed",this.failure=this.#x(t,n,o)}this.changed()};return{kind:"unreachable",again:()=>{s()}}}#m(t,n){let i=!this.#t.has(t);if(this.#b(t),i)return;let r=t.turn.message;if(!n&&r&&(this.#t.size>0||this.#n))return void this.#k(r.id,1);n||(this.#s=!0),!(!this.#s||this.#t.size>0||this.#n)&&(this.lost=!n,this.#d(n,n?0:1))}async#d(t,n){let i=this.#n=new AbortController;for(this.#s=!1;!i.signal.aborted;){if(n>0&&await this.#S(Math.min(1e3*2**(n-1),is),i.signal),i.signal.aborted)return;let r=Date.now();try{if(t&&!await this.#g(i.signal)||(t=!1,await this.#v(i.signal)))break}catch(s){if(!i.signal.aborted&&s instanceof ce&&!s.passing){this.failure={kind:"refused",status:s.status,said:s.said,opening:!0,again:()=>this.#u()};break}this.trouble=s instanceof ce?s.said:void 0}if(i.signal.aborted)return;n=Date.now()-r>Na?1:n+1,this.lost=!0,this.changed()}i.signal.aborted||(this.#h(),this.changed())}#u(){this.failure=void 0,this.open(),this.changed()}#h(){this.#n?.abort(),this.#n=void 0,this.loading=this.lost=!1}async#g(t){let n=await this.api.history(this.id,t);return t.aborted?!1:(this.loading=this.lost=!1,this.#o(n),this.changed(),n.active)}#o(t){this.#e.merge(t.messages);for(let n of t.activeMessages.slice(0,-1))this.#k(n,0)}async#k(t,n){if(this.#l.has(t)||[...this.#t].some(r=>r.turn.message?.id===t))return;let{signal:i}=this.#l.set(t,new AbortController).get(t);for(;!i.aborted;n++){if(n>0&&await Ua(Math.min(1e3*2**(n-1),is),i),i.aborted)return;try{if(await this.#v(i,t))break}catch(r){if(r instanceof ce&&!r.passing)break}}i.aborted||this.#l.delete(t),this.changed()}async#v(t,n){let i=this.#y();t.addEventListener("abort",()=>this.#b(i),{once:!0,signal:i.abort.signal});try{let r=await this.api.stream(this.id,i.abort.signal,n);return n===void 0&&(this.lost=this.loading=!1),this.trouble=void 0,this.changed(),r?await this.#$(i,r):(await this.#g(t),!0)}finally{this.#b(i)}}async#$(t,n){let i,r=()=>{clearTimeout(i),i=setTimeout(()=>t.abort.abort(),qa)};r();try{for await(let o of es(n.body)){if(r(),!this.#t.has(t))return!1;for(let a of o)t.turn.take(a);if(this.#e.show(t),o.length>0&&this.changed(),t.turn.ending)break}}catch{}finally{clearTimeout(i)}let s=t.turn.ending;return s?.error!==void 0&&(this.failure={kind:"failed",said:s.error,again:()=>{this.retry()}}),s!==void 0}#y(){let t=Object.assign(this.#e.writer(),{abort:new AbortController});return this.#t.add(t),t}#b(t){this.#t.delete(t)&&(t.abort.abort(),this.#e.finish(t))}#S(t,n){return new Promise(i=>{let r=()=>{clearTimeout(s),n.removeEventListener("abort",r),this.#i=void 0,i()},s=setTimeout(r,t);this.#i=r,n.addEventListener("abort",r)})}};function Ua(e,t){return new Promise(n=>{let i=setTimeout(r,e);t.addEventListener("abort",r);function r(){clearTimeout(i),t.removeEventListener("abort",r),n()}})}function Bt(e){let t=crypto.getRandomValues(new Uint8Array(16));return`${e}_${[...t].map(n=>n.toString(16).padStart(2,"0")).join("")}`}async function rs(e){try{return await navigator.clipboard.writeText(e),!0}catch{return ja(e)}}function ja(e){let t=document.createElement("textarea");t.value=e,t.setAttribute("aria-hidden","true"),t.tabIndex=-1,Object.assign(t.style,{position:"fixed",insetBlockStart:"0",opacity:"0"});let n=document.activeElement;document.body.append(t),t.select();try{return document.execCommand("copy")}catch{return!1}finally{t.remove(),n instanceof HTMLElement&&n.focus({preventScroll:!0})}}var Wa=2e3;function ss(e){e.toggleAttribute("data-done",!0),setTimeout(()=>e.removeAttribute("data-done"),Wa)}var re=e=>X`<svg viewBox="0 0 24 24" aria-hidden="true">${e}</svg>`,Je={approval:re(X`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:re(X`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:re(X`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:re(X`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:re(X`<path d="M7 7l10 10M17 7 7 17"/>`),warning:re(X`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`)};var z={...Je,connect:re(X`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),tool:re(X`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:re(X`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:re(X`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:re(X`<path d="M12 5v14M5 12h14"/>`),down:re(X`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),copy:re(X`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:re(X`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:re(X`<path d="m9 6 6 6-6 6"/>`)};function hi(e,t,n){let i=wn(e);if(!i||i.protocol!=="https:"&&i.protocol!=="http:"||i.username!==""||i.password!=="")return;let{hostname:r,host:s,href:o,origin:a}=i,l=n&&(r===n||r.endsWith(`.${n}`)),c=l?n:s,u=o.indexOf("//")+2+(l?r.length-n.length:0);return{href:o,before:o.slice(0,u),trust:c,after:o.slice(u+c.length),foreign:a!==wn(t)?.origin,insecure:i.protocol==="http:"&&!Va(r)}}function wn(e){try{return new URL(e??"")}catch{return}}function Va(e){return e==="localhost"||e.endsWith(".localhost")||e==="[::1]"||/^127(\.\d+){3}$/.test(e)}function It(e){let t=wn(e);return t&&(t.protocol==="https:"||t.protocol==="http:")?t.href:void 0}function fi(e){let t=wn(e);return t?.protocol==="mailto:"?t.href:It(e)}var Qa={},vn=at(class extends Re{constructor(){super(...arguments),this.ot=Qa}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((i,r)=>i===this.ot[r]))return ie}else if(this.ot===t)return ie;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});var mi=/( {0,3})(?:(`{3,})(?!`)([^`\n]*)|(~{3,})(?!~)([^\n]*))\n/y;function os(e,t){mi.lastIndex=t;let n=mi.exec(e);return n?new gi(mi.lastIndex,n[2]??n[4],n[1].length,n[3]??n[5]):void 0}var gi=class{constructor(t,n,i,r){this.at=t;this.indent=i;this.#n=/^\S*/.exec(r.trim())[0],this.#i=new RegExp(`^ {0,3}${n[0]}{${n.length},}[ \\t\\r]*$`),this.#r=new RegExp(`^ {0,3}${n[0]}+[ \\t\\r]*$`)}at;indent;#e="";#t="";#n;#i;#r;take(t){for(;;){let n=t.indexOf(`
`,this.at),i=t.slice(this.at,n<0?void 0:n);if(this.#i.test(i))return this.#t="",n<0?t.length:n+1;if(n<0){this.#t=this.#r.test(i)?"":this.#s(i);return}this.#e+=this.#s(i)+`
`,this.at=n+1}}block(){return{kind:"code",text:this.#t===""?this.#e.slice(0,-1):this.#e+this.#t,language:this.#n}}#s(t){let n=0;for(;n<this.indent&&t[n]===" ";)n++;return t.slice(n)}};var Ka={};function bi(e,t){let n=t||Ka,i=typeof n.includeImageAlt=="boolean"?n.includeImageAlt:!0,r=typeof n.includeHtml=="boolean"?n.includeHtml:!0;return ls(e,i,r)}function ls(e,t,n){if(Ga(e)){if("value"in e)return e.type==="html"&&!n?"":e.value;if(t&&"alt"in e&&e.alt)return e.alt;if("children"in e)return as(e.children,t,n)}return Array.isArray(e)?as(e,t,n):""}function as(e,t,n){let i=[],r=-1;for(;++r<e.length;)i[r]=ls(e[r],t,n);return i.join("")}function Ga(e){return!!(e&&typeof e=="object")}var us={amp:"&",apos:"'",bull:"•",cent:"¢",copy:"©",deg:"°",divide:"÷",euro:"€",frac12:"½",ge:"≥",gt:">",hellip:"…",infin:"∞",laquo:"«",larr:"←",ldquo:"“",le:"≤",lsquo:"‘",lt:"<",mdash:"—",micro:"µ",middot:"·",minus:"−",nbsp:" ",ndash:"–",ne:"≠",para:"¶",plusmn:"±",pound:"£",quot:'"',raquo:"»",rarr:"→",rdquo:"”",reg:"®",rsquo:"’",sect:"§",times:"×",trade:"™",yen:"¥"};function dt(e){return Object.hasOwn(us,e)?us[e]:!1}function ee(e,t,n,i){let r=e.length,s=0,o;if(t<0?t=-t>r?0:r+t:t=t>r?r:t,n=n>0?n:0,i.length<1e4)o=Array.from(i),o.unshift(t,n),e.splice(...o);else for(n&&e.splice(t,n);s<i.length;)o=i.slice(s,s+1e4),o.unshift(t,0),e.splice(...o),s+=1e4,t+=1e4}function se(e,t){return e.length>0?(ee(e,e.length,0,t),e):t}var cs={}.hasOwnProperty;function ds(e){let t={},n=-1;for(;++n<e.length;)Ja(t,e[n]);return t}function Ja(e,t){let n;for(n in t){let r=(cs.call(e,n)?e[n]:void 0)||(e[n]={}),s=t[n],o;if(s)for(o in s){cs.call(r,o)||(r[o]=[]);let a=s[o];Ya(r[o],Array.isArray(a)?a:a?[a]:[])}}}function Ya(e,t){let n=-1,i=[];for(;++n<t.length;)(t[n].add==="after"?e:i).push(t[n]);ee(e,0,0,i)}function $n(e,t){let n=Number.parseInt(e,t);return n<9||n===11||n>13&&n<32||n>126&&n<160||n>55295&&n<57344||n>64975&&n<65008||(n&65535)===65535||(n&65535)===65534||n>1114111?"�":String.fromCodePoint(n)}function Ae(e){return e.replace(/[\t\n\r ]+/g," ").replace(/^ | $/g,"").toLowerCase().toUpperCase()}var Y=De(/[A-Za-z]/),Z=De(/[\dA-Za-z]/),ps=De(/[#-'*+\--9=?A-Z^-~]/);function Ye(e){return e!==null&&(e<32||e===127)}var Mt=De(/\d/),hs=De(/[\dA-Fa-f]/),fs=De(/[!-/:-@[-`{-~]/);function S(e){return e!==null&&e<-2}function O(e){return e!==null&&(e<0||e===32)}function _(e){return e===-2||e===-1||e===32}var Pt=De(/\p{P}|\p{S}/u),Oe=De(/\s/);function De(e){return t;function t(n){return n!==null&&n>-1&&e.test(String.fromCharCode(n))}}function A(e,t,n,i){let r=i?i-1:1/0,s=0;return o;function o(l){return _(l)?(e.enter(n),a(l)):t(l)}function a(l){return _(l)&&s++<r?(e.consume(l),a):(e.exit(n),t(l))}}function ki(e,t,n,i,r,s){let o=0;return a;function a(u){return s>0&&_(u)?(e.enter(i),l(u)):c(u)}function l(u){return _(u)&&o<s?(e.consume(u),o++,l):(e.exit(i),c(u))}function c(u){return o>=r?t(u):n(u)}}var ms={tokenize:Za};function Za(e){let t=e.attempt(this.parser.constructs.contentInitial,i,r),n;return t;function i(a){if(a===null){e.consume(a);return}return e.enter("lineEnding"),e.consume(a),e.exit("lineEnding"),A(e,t,"linePrefix")}function r(a){return e.enter("paragraph"),s(a)}function s(a){let l=e.enter("chunkText",{contentType:"text",previous:n});return n&&(n.next=l),n=l,o(a)}function o(a){if(a===null){e.exit("chunkText"),e.exit("paragraph"),e.consume(a);return}return S(a)?(e.consume(a),e.exit("chunkText"),s):(e.consume(a),o)}}var Be=class{constructor(){this.index=new Map,this.map=[]}add(t,n,i){gs(this,t,n,i,!1)}addBefore(t,n,i){gs(this,t,n,i,!0)}consume(t){if(this.map.sort(function(s,o){return s[0]-o[0]}),this.map.length===0)return;let n=this.map.length,i=[];for(;n>0;)n-=1,i.push(t.slice(this.map[n][0]+this.map[n][1]),this.map[n][2]),t.length=this.map[n][0];i.push(t.slice()),t.length=0;let r=i.pop();for(;r;){for(let s of r)t.push(s);r=i.pop()}this.map.length=0,this.index.clear()}};function gs(e,t,n,i,r){if(n===0&&i.length===0)return;let s=e.index.get(t);if(s){s[1]+=n,r?(i.push(...s[2]),s[2]=i):s[2].push(...i);return}let o=[t,n,i];e.map.push(o),e.index.set(t,o)}var ks={tokenize:Xa},bs={tokenize:el};function Xa(e){let t=this,n=[],i=0,r,s,o;return a;function a(T){if(i<n.length){let D=n[i];return t.containerState=D[1],e.attempt(D[0].continuation,l,c)(T)}return c(T)}function l(T){if(i++,t.containerState._closeFlow){t.containerState._closeFlow=void 0,r&&V();let D=t.events.length,N=D,x;for(;N--;)if(t.events[N][0]==="exit"&&t.events[N][1].type==="chunkFlow"){x=t.events[N][1].end;break}$(i);let F=D;for(;F<t.events.length;)t.events[F][1].end={...x},F++;let U=new Be;return U.add(N+1,0,t.events.slice(D)),U.add(D,F-D,[]),U.consume(t.events),c(T)}return a(T)}function c(T){if(i===n.length){if(!r)return m(T);if(r.currentConstruct&&r.currentConstruct.concrete)return w(T);t.interrupt=!!(r.currentConstruct&&!r._gfmTableDynamicInterruptHack)}return t.containerState={},e.check(bs,u,d)(T)}function u(T){return r&&V(),$(i),m(T)}function d(T){return t.parser.lazy[t.now().line]=i!==n.length,o=t.now().offset,w(T)}function m(T){return t.containerState={},e.attempt(bs,p,w)(T)}function p(T){return i++,n.push([t.currentConstruct,t.containerState]),m(T)}function w(T){if(T===null){r&&V(),$(0),e.consume(T);return}return r=r||t.parser.flow(t.now()),e.enter("chunkFlow",{_tokenizer:r,contentType:"flow",previous:s}),B(T)}function B(T){if(T===null){R(e.exit("chunkFlow"),!0),$(0),e.consume(T);return}return S(T)?(e.consume(T),R(e.exit("chunkFlow")),i=0,t.interrupt=void 0,a):(e.consume(T),B)}function R(T,D){let N=t.sliceStream(T);if(D&&N.push(null),T.previous=s,s&&(s.next=T),s=T,r.defineSkip(T.start),r.write(N),t.parser.lazy[T.start.line]){let x=r.events.length;for(;x--;)if(r.events[x][1].start.offset<o&&(!r.events[x][1].end||r.events[x][1].end.offset>o))return;let F=t.events.length,U=F,K,b;for(;U--;)if(t.events[U][0]==="exit"&&t.events[U][1].type==="chunkFlow"){if(K){b=t.events[U][1].end;break}K=!0}for($(i),x=F;x<t.events.length;)t.events[x][1].end={...b},x++;let H=new Be;H.add(U+1,0,t.events.slice(F)),H.add(F,x-F,[]),H.consume(t.events)}}function $(T){let D=n.length;for(;D-- >T;){let N=n[D];t.containerState=N[1],N[0].exit.call(t,e)}n.length=T}function V(){r.write([null]),s=void 0,r=void 0,t.containerState._closeFlow=void 0}}function el(e,t,n){return A(e,e.attempt(this.parser.constructs.document,t,n),"linePrefix",this.parser.constructs.disable.null.includes("codeIndented")?void 0:4)}function pt(e){if(e===null||O(e)||Oe(e))return 1;if(Pt(e))return 2}function He(e,t,n){let i=[],r=-1;for(;++r<e.length;){let s=e[r].resolveAll;s&&!i.includes(s)&&(t=s(t,n),i.push(s))}return t}var qe={name:"attention",resolveAll:tl,tokenize:nl};function tl(e,t){let n=-1,i;for(;++n<e.length;)if(e[n][0]==="enter"&&e[n][1].type==="attentionSequence"&&e[n][1]._close){let r=n;for(;r--;)if(e[r][0]==="exit"&&e[r][1].type==="attentionSequence"&&e[r][1]._open&&t.sliceSerialize(e[r][1]).charCodeAt(0)===t.sliceSerialize(e[n][1]).charCodeAt(0)){if((e[r][1]._close||e[n][1]._open)&&(e[n][1].end.offset-e[n][1].start.offset)%3&&!((e[r][1].end.offset-e[r][1].start.offset+e[n][1].end.offset-e[n][1].start.offset)%3))continue;let s=e[r][1].end.offset-e[r][1].start.offset>1&&e[n][1].end.offset-e[n][1].start.offset>1?2:1,o={...e[r][1].end},a={...e[n][1].start};xs(o,-s),xs(a,s);let l={type:s>1?"strongSequence":"emphasisSequence",start:o,end:{...e[r][1].end}},c={type:s>1?"strongSequence":"emphasisSequence",start:{...e[n][1].start},end:a},u={type:s>1?"strongText":"emphasisText",start:{...e[r][1].end},end:{...e[n][1].start}},d={type:s>1?"strong":"emphasis",start:{...l.start},end:{...c.end}};e[r][1].end={...l.start},e[n][1].start={...c.end},i=[],e[r][1].end.offset-e[r][1].start.offset&&(i=se(i,[["enter",e[r][1],t],["exit",e[r][1],t]])),i=se(i,[["enter",d,t],["enter",l,t],["exit",l,t],["enter",u,t]]),i=se(i,He(t.parser.constructs.insideSpan.null,e.slice(r+1,n),t)),i=se(i,[["exit",u,t],["enter",c,t],["exit",c,t],["exit",d,t]]);let m=0;e[n][1].end.offset-e[n][1].start.offset&&(m=2,i=se(i,[["enter",e[n][1],t],["exit",e[n][1],t]])),ee(e,r-1,n-r+3,i),n=r+i.length-m-2;break}}for(n=-1;++n<e.length;)e[n][1].type==="attentionSequence"&&(e[n][1].type="data");return e}function nl(e,t){let n=this.parser.constructs.attentionMarkers.null,i=this.previous,r=pt(i),s;return o;function o(l){return s=l,e.enter("attentionSequence"),a(l)}function a(l){if(l===s)return e.consume(l),a;let c=e.exit("attentionSequence"),u=pt(l),d=!u||u===2&&r||n.includes(l)&&l!==42&&l!==95,m=!r||r===2&&u||n.includes(i)&&i!==42&&i!==95;return c._open=!!(s===42?d:d&&(r||!m)),c._close=!!(s===42?m:m&&(u||!d)),t(l)}}function xs(e,t){e.column+=t,e.offset+=t,e._bufferIndex+=t}var Lt={name:"autolink",tokenize:il};function il(e,t,n){let i=0;return r;function r(p){return e.enter("autolink"),e.enter("autolinkMarker"),e.consume(p),e.exit("autolinkMarker"),e.enter("autolinkProtocol"),s}function s(p){return Y(p)?(e.consume(p),o):p===64?n(p):c(p)}function o(p){return p===43||p===45||p===46||Z(p)?(i=1,a(p)):c(p)}function a(p){return p===58?(e.consume(p),i=0,l):(p===43||p===45||p===46||Z(p))&&i++<32?(e.consume(p),a):(i=0,c(p))}function l(p){return p===62?(e.exit("autolinkProtocol"),e.enter("autolinkMarker"),e.consume(p),e.exit("autolinkMarker"),e.exit("autolink"),t):p===null||p===32||p===60||Ye(p)?n(p):(e.consume(p),l)}function c(p){return p===64?(e.consume(p),u):ps(p)?(e.consume(p),c):n(p)}function u(p){return Z(p)?d(p):n(p)}function d(p){return p===46?(e.consume(p),i=0,u):p===62?(e.exit("autolinkProtocol").type="autolinkEmail",e.enter("autolinkMarker"),e.consume(p),e.exit("autolinkMarker"),e.exit("autolink"),t):m(p)}function m(p){if((p===45||Z(p))&&i++<63){let w=p===45?m:d;return e.consume(p),w}return n(p)}}var Ne={partial:!0,tokenize:rl};function rl(e,t,n){return i;function i(s){return _(s)?A(e,r,"linePrefix")(s):r(s)}function r(s){return s===null||S(s)?t(s):n(s)}}var ht={continuation:{tokenize:ol},exit:al,name:"blockQuote",tokenize:sl};function sl(e,t,n){let i=this;return r;function r(o){if(o===62){let a=i.containerState;return a.open||(e.enter("blockQuote",{_container:!0}),a.open=!0),e.enter("blockQuotePrefix"),e.enter("blockQuoteMarker"),e.consume(o),e.exit("blockQuoteMarker"),s}return n(o)}function s(o){return _(o)?(e.enter("blockQuotePrefixWhitespace"),e.consume(o),e.exit("blockQuotePrefixWhitespace"),e.exit("blockQuotePrefix"),t):(e.exit("blockQuotePrefix"),t(o))}}function ol(e,t,n){let i=this;return r;function r(o){return _(o)?A(e,s,"linePrefix",i.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(o):s(o)}function s(o){return e.attempt(ht,t,n)(o)}}function al(e){e.exit("blockQuote")}var Cn={name:"characterEscape",tokenize:ll};function ll(e,t,n){return i;function i(s){return e.enter("characterEscape"),e.enter("escapeMarker"),e.consume(s),e.exit("escapeMarker"),r}function r(s){return fs(s)?(e.enter("characterEscapeValue"),e.consume(s),e.exit("characterEscapeValue"),e.exit("characterEscape"),t):n(s)}}var Sn={name:"characterReference",tokenize:ul};function ul(e,t,n){let i=this,r=0,s,o;return a;function a(d){return e.enter("characterReference"),e.enter("characterReferenceMarker"),e.consume(d),e.exit("characterReferenceMarker"),l}function l(d){return d===35?(e.enter("characterReferenceMarkerNumeric"),e.consume(d),e.exit("characterReferenceMarkerNumeric"),c):(e.enter("characterReferenceValue"),s=31,o=Z,u(d))}function c(d){return d===88||d===120?(e.enter("characterReferenceMarkerHexadecimal"),e.consume(d),e.exit("characterReferenceMarkerHexadecimal"),e.enter("characterReferenceValue"),s=6,o=hs,u):(e.enter("characterReferenceValue"),s=7,o=Mt,u(d))}function u(d){if(d===59&&r){let m=e.exit("characterReferenceValue");return o===Z&&!dt(i.sliceSerialize(m))?n(d):(e.enter("characterReferenceMarker"),e.consume(d),e.exit("characterReferenceMarker"),e.exit("characterReference"),t)}return o(d)&&r++<s?(e.consume(d),u):n(d)}}var Rt={partial:!0,tokenize:cl};function cl(e,t,n){let i=this;return r;function r(o){return o===null?n(o):(e.enter("lineEnding"),e.consume(o),e.exit("lineEnding"),s)}function s(o){return i.parser.lazy[i.now().line]?n(o):t(o)}}var Tn={concrete:!0,name:"codeFenced",tokenize:dl};function dl(e,t,n){let i=this,r={partial:!0,tokenize:N},s=0,o=0,a;return l;function l(x){return c(x)}function c(x){let F=i.events[i.events.length-1];return s=F&&F[1].type==="linePrefix"?F[2].sliceSerialize(F[1],!0).length:0,a=x,e.enter("codeFenced"),e.enter("codeFencedFence"),e.enter("codeFencedFenceSequence"),u(x)}function u(x){return x===a?(o++,e.consume(x),u):o<3?n(x):(e.exit("codeFencedFenceSequence"),_(x)?A(e,d,"whitespace")(x):d(x))}function d(x){return x===null||S(x)?(e.exit("codeFencedFence"),i.interrupt?t(x):e.check(Rt,B,D)(x)):(e.enter("codeFencedFenceInfo"),e.enter("chunkString",{contentType:"string"}),m(x))}function m(x){return x===null||S(x)?(e.exit("chunkString"),e.exit("codeFencedFenceInfo"),d(x)):_(x)?(e.exit("chunkString"),e.exit("codeFencedFenceInfo"),A(e,p,"whitespace")(x)):x===96&&x===a?n(x):(e.consume(x),m)}function p(x){return x===null||S(x)?d(x):(e.enter("codeFencedFenceMeta"),e.enter("chunkString",{contentType:"string"}),w(x))}function w(x){return x===null||S(x)?(e.exit("chunkString"),e.exit("codeFencedFenceMeta"),d(x)):x===96&&x===a?n(x):(e.consume(x),w)}function B(x){return e.attempt(r,D,R)(x)}function R(x){return e.enter("lineEnding"),e.consume(x),e.exit("lineEnding"),$}function $(x){return s>0&&_(x)?A(e,V,"linePrefix",s+1)(x):V(x)}function V(x){return x===null||S(x)?e.check(Rt,B,D)(x):(e.enter("codeFlowValue"),T(x))}function T(x){return x===null||S(x)?(e.exit("codeFlowValue"),V(x)):(e.consume(x),T)}function D(x){return e.exit("codeFenced"),t(x)}function N(x,F,U){let K=0;return b;function b(P){return x.enter("lineEnding"),x.consume(P),x.exit("lineEnding"),H}function H(P){return x.enter("codeFencedFence"),_(P)?A(x,j,"linePrefix",i.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(P):j(P)}function j(P){return P===a?(x.enter("codeFencedFenceSequence"),E(P)):U(P)}function E(P){return P===a?(K++,x.consume(P),E):K>=o?(x.exit("codeFencedFenceSequence"),_(P)?A(x,L,"whitespace")(P):L(P)):U(P)}function L(P){return P===null||S(P)?(x.exit("codeFencedFence"),F(P)):U(P)}}}var zt={name:"codeIndented",tokenize:hl},pl={partial:!0,tokenize:fl};function hl(e,t,n){return i;function i(a){return e.enter("codeIndented"),ki(e,r,n,"linePrefix",4,4)(a)}function r(a){return a===null?o(a):S(a)?e.attempt(pl,r,o)(a):(e.enter("codeFlowValue"),s(a))}function s(a){return a===null||S(a)?(e.exit("codeFlowValue"),r(a)):(e.consume(a),s)}function o(a){return e.exit("codeIndented"),t(a)}}function fl(e,t,n){let i=this;return r;function r(o){return i.parser.lazy[i.now().line]?n(o):S(o)?(e.enter("lineEnding"),e.consume(o),e.exit("lineEnding"),r):ki(e,t,s,"linePrefix",4,4)(o)}function s(o){return S(o)?r(o):n(o)}}var Ft={name:"codeText",previous:gl,resolve:ml,tokenize:bl};function ml(e){let t=e.length-4,n=3,i,r;if((e[n][1].type==="lineEnding"||e[n][1].type==="space")&&(e[t][1].type==="lineEnding"||e[t][1].type==="space")){for(i=n;++i<t;)if(e[i][1].type==="codeTextData"){e[n][1].type="codeTextPadding",e[t][1].type="codeTextPadding",n+=2,t-=2;break}}for(i=n-1,t++;++i<=t;)r===void 0?i!==t&&e[i][1].type!=="lineEnding"&&(r=i):(i===t||e[i][1].type==="lineEnding")&&(e[r][1].type="codeTextData",i!==r+2&&(e[r][1].end=e[i-1][1].end,e.splice(r+2,i-r-2),t-=i-r-2,i=r+2),r=void 0);return e}function gl(e){return e!==96||this.events[this.events.length-1][1].type==="characterEscape"}function bl(e,t,n){let i=this,r=0,s,o;return a;function a(m){return e.enter("codeText"),e.enter("codeTextSequence"),l(m)}function l(m){return m===96?(e.consume(m),r++,l):(e.exit("codeTextSequence"),c(m))}function c(m){return m===null?n(m):m===32?(e.enter("space"),e.consume(m),e.exit("space"),c):m===96?(o=e.enter("codeTextSequence"),s=0,d(m)):S(m)?(e.enter("lineEnding"),e.consume(m),e.exit("lineEnding"),c):(e.enter("codeTextData"),u(m))}function u(m){return m===null||m===32||m===96||S(m)?(e.exit("codeTextData"),c(m)):(e.consume(m),u)}function d(m){return m===96?(e.consume(m),s++,d):s===r?(e.exit("codeTextSequence"),e.exit("codeText"),t(m)):(o.type="codeTextData",u(m))}}var En=class{constructor(t){this.left=t?[...t]:[],this.right=[]}get(t){if(t<0||t>=this.left.length+this.right.length)throw new RangeError("Cannot access index `"+t+"` in a splice buffer of size `"+(this.left.length+this.right.length)+"`");return t<this.left.length?this.left[t]:this.right[this.right.length-t+this.left.length-1]}get length(){return this.left.length+this.right.length}shift(){return this.setCursor(0),this.right.pop()}slice(t,n){let i=n??Number.POSITIVE_INFINITY;return i<this.left.length?this.left.slice(t,i):t>this.left.length?this.right.slice(this.right.length-i+this.left.length,this.right.length-t+this.left.length).reverse():this.left.slice(t).concat(this.right.slice(this.right.length-i+this.left.length).reverse())}splice(t,n,i){let r=n||0;this.setCursor(Math.trunc(t));let s=this.right.splice(this.right.length-r,Number.POSITIVE_INFINITY);return i&&Ot(this.left,i),s.reverse()}pop(){return this.setCursor(Number.POSITIVE_INFINITY),this.left.pop()}push(t){this.setCursor(Number.POSITIVE_INFINITY),this.left.push(t)}pushMany(t){this.setCursor(Number.POSITIVE_INFINITY),Ot(this.left,t)}unshift(t){this.setCursor(0),this.right.push(t)}unshiftMany(t){this.setCursor(0),Ot(this.right,t.reverse())}setCursor(t){if(!(t===this.left.length||t>this.left.length&&this.right.length===0||t<0&&this.left.length===0))if(t<this.left.length){let n=this.left.splice(t,Number.POSITIVE_INFINITY);Ot(this.right,n.reverse())}else{let n=this.right.splice(this.left.length+this.right.length-t,Number.POSITIVE_INFINITY);Ot(this.left,n.reverse())}}};function Ot(e,t){let n=0;if(t.length<1e4)e.push(...t);else for(;n<t.length;)e.push(...t.slice(n,n+1e4)),n+=1e4}function _n(e){let t={},n=-1,i,r,s,o,a,l,c,u=new En(e);for(;++n<u.length;){for(;n in t;)n=t[n];if(i=u.get(n),n&&i[1].type==="chunkFlow"&&u.get(n-1)[1].type==="listItemPrefix"&&(l=i[1]._tokenizer.events,s=0,s<l.length&&l[s][1].type==="lineEndingBlank"&&(s+=2),s<l.length&&l[s][1].type==="content"))for(;++s<l.length&&l[s][1].type!=="content";)l[s][1].type==="chunkText"&&(l[s][1]._isInFirstContentOfListItem=!0,s++);if(i[0]==="enter")i[1].contentType&&(Object.assign(t,kl(u,n)),n=t[n],c=!0);else if(i[1]._container){for(s=n,r=void 0;s--;)if(o=u.get(s),o[1].type==="lineEnding"||o[1].type==="lineEndingBlank")o[0]==="enter"&&(r&&(u.get(r)[1].type="lineEndingBlank"),o[1].type="lineEnding",r=s);else if(!(o[1].type==="linePrefix"||o[1].type==="listItemIndent"))break;r&&(i[1].end={...u.get(r)[1].start},a=u.slice(r,n),a.unshift(i),u.splice(r,n-r+1,a))}}return ee(e,0,Number.POSITIVE_INFINITY,u.slice(0)),!c}function kl(e,t){let n=e.get(t)[1],i=e.get(t)[2],r=t-1,s=[],o=n._tokenizer;o||(o=i.parser[n.contentType](n.start),n._contentTypeTextTrailing&&(o._contentTypeTextTrailing=!0));let a=o.events,l=[],c={},u,d,m=-1,p=n,w=0,B=0,R=[B];for(;p;){for(;e.get(++r)[1]!==p;);s.push(r),p._tokenizer||(u=i.sliceStream(p),p.next||u.push(null),d&&o.defineSkip(p.start),p._isInFirstContentOfListItem&&(o._gfmTasklistFirstContentOfListItem=!0),o.write(u),p._isInFirstContentOfListItem&&(o._gfmTasklistFirstContentOfListItem=void 0)),d=p,p=p.next}for(p=n;++m<a.length;)a[m][0]==="exit"&&a[m-1][0]==="enter"&&a[m][1].type===a[m-1][1].type&&a[m][1].start.line!==a[m][1].end.line&&(B=m+1,R.push(B),p._tokenizer=void 0,p.previous=void 0,p=p.next);for(o.events=[],p?(p._tokenizer=void 0,p.previous=void 0):R.pop(),m=R.length;m--;){let $=a.slice(R[m],R[m+1]),V=s.pop();l.push([V,V+$.length-1]),e.splice(V,2,$)}for(l.reverse(),m=-1;++m<l.length;)c[w+l[m][0]]=w+l[m][1],w+=l[m][1]-l[m][0]-1;return c}var xi={resolve:yl,tokenize:wl},xl={partial:!0,tokenize:vl};function yl(e){return _n(e),e}function wl(e,t){let n;return i;function i(a){return e.enter("content"),n=e.enter("chunkContent",{contentType:"content"}),r(a)}function r(a){return a===null?s(a):S(a)?e.check(xl,o,s)(a):(e.consume(a),r)}function s(a){return e.exit("chunkContent"),e.exit("content"),t(a)}function o(a){return e.consume(a),e.exit("chunkContent"),n.next=e.enter("chunkContent",{contentType:"content",previous:n}),n=n.next,r}}function vl(e,t,n){let i=this;return r;function r(o){return e.exit("chunkContent"),e.enter("lineEnding"),e.consume(o),e.exit("lineEnding"),A(e,s,"linePrefix")}function s(o){if(o===null||S(o))return n(o);let a=i.events[i.events.length-1];return!i.parser.constructs.disable.null.includes("codeIndented")&&a&&a[1].type==="linePrefix"&&a[2].sliceSerialize(a[1],!0).length>=4?t(o):e.interrupt(i.parser.constructs.flow,n,t)(o)}}function An(e,t,n,i,r,s,o,a,l){let c=l||Number.POSITIVE_INFINITY,u=0;return d;function d($){return $===60?(e.enter(i),e.enter(r),e.enter(s),e.consume($),e.exit(s),m):$===null||$===32||$===41||Ye($)?n($):(e.enter(i),e.enter(o),e.enter(a),e.enter("chunkString",{contentType:"string"}),B($))}function m($){return $===62?(e.enter(s),e.consume($),e.exit(s),e.exit(r),e.exit(i),t):(e.enter(a),e.enter("chunkString",{contentType:"string"}),p($))}function p($){return $===62?(e.exit("chunkString"),e.exit(a),m($)):$===null||$===60||S($)?n($):(e.consume($),$===92?w:p)}function w($){return $===60||$===62||$===92?(e.consume($),p):p($)}function B($){return!u&&($===null||$===41||O($))?(e.exit("chunkString"),e.exit(a),e.exit(o),e.exit(i),t($)):u<c&&$===40?(e.consume($),u++,B):$===41?(e.consume($),u--,B):$===null||$===32||$===40||Ye($)?n($):(e.consume($),$===92?R:B)}function R($){return $===40||$===41||$===92?(e.consume($),B):B($)}}function Bn(e,t,n,i,r,s){let o=this,a=0,l;return c;function c(p){return e.enter(i),e.enter(r),e.consume(p),e.exit(r),e.enter(s),u}function u(p){return a>999||p===null||p===91||p===93&&!l||p===94&&!a&&"_hiddenFootnoteSupport"in o.parser.constructs?n(p):p===93?(e.exit(s),e.enter(r),e.consume(p),e.exit(r),e.exit(i),t):S(p)?(e.enter("lineEnding"),e.consume(p),e.exit("lineEnding"),u):(e.enter("chunkString",{contentType:"string"}),d(p))}function d(p){return p===null||p===91||p===93||S(p)||a++>999?(e.exit("chunkString"),u(p)):(e.consume(p),l||(l=!_(p)),p===92?m:d)}function m(p){return p===91||p===92||p===93?(e.consume(p),a++,d):d(p)}}function In(e,t,n,i,r,s){let o;return a;function a(m){return m===34||m===39||m===40?(e.enter(i),e.enter(r),e.consume(m),e.exit(r),o=m===40?41:m,l):n(m)}function l(m){return m===o?(e.enter(r),e.consume(m),e.exit(r),e.exit(i),t):(e.enter(s),c(m))}function c(m){return m===o?(e.exit(s),l(o)):m===null?n(m):S(m)?(e.enter("lineEnding"),e.consume(m),e.exit("lineEnding"),A(e,c,"linePrefix")):(e.enter("chunkString",{contentType:"string"}),u(m))}function u(m){return m===o||m===null||S(m)?(e.exit("chunkString"),c(m)):(e.consume(m),m===92?d:u)}function d(m){return m===o||m===92?(e.consume(m),u):u(m)}}function Ze(e,t){let n;return i;function i(r){return S(r)?(e.enter("lineEnding"),e.consume(r),e.exit("lineEnding"),n=!0,i):_(r)?A(e,i,n?"linePrefix":"lineSuffix")(r):t(r)}}var yi={name:"definition",tokenize:Cl},$l={partial:!0,tokenize:Sl};function Cl(e,t,n){let i=this,r;return s;function s(p){return e.enter("definition"),o(p)}function o(p){return Bn.call(i,e,a,n,"definitionLabel","definitionLabelMarker","definitionLabelString")(p)}function a(p){return r=Ae(i.sliceSerialize(i.events[i.events.length-1][1]).slice(1,-1)),p===58?(e.enter("definitionMarker"),e.consume(p),e.exit("definitionMarker"),l):n(p)}function l(p){return O(p)?Ze(e,c)(p):c(p)}function c(p){return An(e,u,n,"definitionDestination","definitionDestinationLiteral","definitionDestinationLiteralMarker","definitionDestinationRaw","definitionDestinationString")(p)}function u(p){return e.attempt($l,d,d)(p)}function d(p){return _(p)?A(e,m,"whitespace")(p):m(p)}function m(p){return p===null||S(p)?(e.exit("definition"),i.parser.defined.push(r),t(p)):n(p)}}function Sl(e,t,n){return i;function i(a){return O(a)?Ze(e,r)(a):n(a)}function r(a){return In(e,s,n,"definitionTitle","definitionTitleMarker","definitionTitleString")(a)}function s(a){return _(a)?A(e,o,"whitespace")(a):o(a)}function o(a){return a===null||S(a)?t(a):n(a)}}var wi={name:"hardBreakEscape",tokenize:Tl};function Tl(e,t,n){return i;function i(s){return e.enter("hardBreakEscape"),e.consume(s),r}function r(s){return S(s)?(e.exit("hardBreakEscape"),t(s)):n(s)}}var vi={name:"headingAtx",resolve:El,tokenize:_l};function El(e,t){let n=e.length-2,i=3;if(e[i][1].type==="whitespace"&&(i+=2),n-2>i&&e[n][1].type==="whitespace"&&(n-=2),e[n][1].type==="atxHeadingSequence"&&(i===n-1||n-4>i&&e[n-2][1].type==="whitespace")&&(n-=i+1===n?2:4),n>i){let r={type:"atxHeadingText",start:e[i][1].start,end:e[n][1].end},s={type:"chunkText",start:e[i][1].start,end:e[n][1].end,contentType:"text"};ee(e,i,n-i+1,[["enter",r,t],["enter",s,t],["exit",s,t],["exit",r,t]])}return e}function _l(e,t,n){let i=0;return r;function r(u){return e.enter("atxHeading"),s(u)}function s(u){return e.enter("atxHeadingSequence"),o(u)}function o(u){return u===35&&i++<6?(e.consume(u),o):u===null||O(u)?(e.exit("atxHeadingSequence"),a(u)):n(u)}function a(u){return u===35?(e.enter("atxHeadingSequence"),l(u)):u===null||S(u)?(e.exit("atxHeading"),t(u)):_(u)?A(e,a,"whitespace")(u):(e.enter("atxHeadingText"),c(u))}function l(u){return u===35?(e.consume(u),l):(e.exit("atxHeadingSequence"),a(u))}function c(u){return u===null||u===35||O(u)?(e.exit("atxHeadingText"),a(u)):(e.consume(u),c)}}var ys=["address","article","aside","base","basefont","blockquote","body","caption","center","col","colgroup","dd","details","dialog","dir","div","dl","dt","fieldset","figcaption","figure","footer","form","frame","frameset","h1","h2","h3","h4","h5","h6","head","header","hr","html","iframe","legend","li","link","main","menu","menuitem","nav","noframes","ol","optgroup","option","p","param","search","section","summary","table","tbody","td","tfoot","th","thead","title","tr","track","ul"],$i=["pre","script","style","textarea"];var Ci={concrete:!0,name:"htmlFlow",resolveTo:Bl,tokenize:Il},Al={partial:!0,tokenize:Ml};function Bl(e){let t=e.length;for(;t--&&!(e[t][0]==="enter"&&e[t][1].type==="htmlFlow"););return t>1&&e[t-2][1].type==="linePrefix"&&(e[t][1].start=e[t-2][1].start,e[t+1][1].start=e[t-2][1].start,e.splice(t-2,2)),e}function Il(e,t,n){let i=this,r,s,o,a,l;return c;function c(f){return u(f)}function u(f){return e.enter("htmlFlow"),e.enter("htmlFlowData"),e.consume(f),d}function d(f){return f===33?(e.consume(f),m):f===47?(e.consume(f),s=!0,B):f===63?(e.consume(f),r=3,i.interrupt?t:h):Y(f)?(e.consume(f),o=String.fromCharCode(f),R):n(f)}function m(f){return f===45?(e.consume(f),r=2,p):f===91?(e.consume(f),r=5,a=0,w):Y(f)?(e.consume(f),r=4,i.interrupt?t:h):n(f)}function p(f){return f===45?(e.consume(f),i.interrupt?t:h):n(f)}function w(f){let de="CDATA[";return f===de.charCodeAt(a++)?(e.consume(f),a===de.length?i.interrupt?t:j:w):n(f)}function B(f){return Y(f)?(e.consume(f),o=String.fromCharCode(f),R):n(f)}function R(f){if(f===null||f===47||f===62||O(f)){let de=f===47,it=o.toLowerCase();return!de&&!s&&$i.includes(it)?(r=1,i.interrupt?t(f):j(f)):ys.includes(o.toLowerCase())?(r=6,de?(e.consume(f),$):i.interrupt?t(f):j(f)):(r=7,i.interrupt&&!i.parser.lazy[i.now().line]?n(f):s?V(f):T(f))}return f===45||Z(f)?(e.consume(f),o+=String.fromCharCode(f),R):n(f)}function $(f){return f===62?(e.consume(f),i.interrupt?t:j):n(f)}function V(f){return _(f)?(e.consume(f),V):b(f)}function T(f){return f===47?(e.consume(f),b):f===58||f===95||Y(f)?(e.consume(f),D):_(f)?(e.consume(f),T):b(f)}function D(f){return f===45||f===46||f===58||f===95||Z(f)?(e.consume(f),D):N(f)}function N(f){return f===61?(e.consume(f),x):_(f)?(e.consume(f),N):T(f)}function x(f){return f===null||f===60||f===61||f===62||f===96?n(f):f===34||f===39?(e.consume(f),l=f,F):_(f)?(e.consume(f),x):U(f)}function F(f){return f===l?(e.consume(f),l=null,K):f===null||S(f)?n(f):(e.consume(f),F)}function U(f){return f===null||f===34||f===39||f===47||f===60||f===61||f===62||f===96||O(f)?N(f):(e.consume(f),U)}function K(f){return f===47||f===62||_(f)?T(f):n(f)}function b(f){return f===62?(e.consume(f),H):n(f)}function H(f){return f===null||S(f)?j(f):_(f)?(e.consume(f),H):n(f)}function j(f){return f===45&&r===2?(e.consume(f),G):f===60&&r===1?(e.consume(f),J):f===62&&r===4?(e.consume(f),he):f===63&&r===3?(e.consume(f),h):f===93&&r===5?(e.consume(f),ke):S(f)&&(r===6||r===7)?(e.exit("htmlFlowData"),e.check(Al,ve,E)(f)):f===null||S(f)?(e.exit("htmlFlowData"),E(f)):(e.consume(f),j)}function E(f){return e.check(Rt,L,ve)(f)}function L(f){return e.enter("lineEnding"),e.consume(f),e.exit("lineEnding"),P}function P(f){return f===null||S(f)?E(f):(e.enter("htmlFlowData"),j(f))}function G(f){return f===45?(e.consume(f),h):j(f)}function J(f){return f===47?(e.consume(f),o="",me):j(f)}function me(f){if(f===62){let de=o.toLowerCase();return $i.includes(de)?(e.consume(f),he):j(f)}return Y(f)&&o.length<8?(e.consume(f),o+=String.fromCharCode(f),me):j(f)}function ke(f){return f===93?(e.consume(f),h):j(f)}function h(f){return f===62?(e.consume(f),he):f===45&&r===2?(e.consume(f),h):j(f)}function he(f){return f===null||S(f)?(e.exit("htmlFlowData"),ve(f)):(e.consume(f),he)}function ve(f){return e.exit("htmlFlow"),t(f)}}function Ml(e,t,n){return i;function i(r){return e.enter("lineEnding"),e.consume(r),e.exit("lineEnding"),e.attempt(Ne,t,n)}}var Si={name:"htmlText",tokenize:Pl};function Pl(e,t,n){let i=this,r,s,o;return a;function a(h){return e.enter("htmlText"),e.enter("htmlTextData"),e.consume(h),l}function l(h){return h===33?(e.consume(h),c):h===47?(e.consume(h),N):h===63?(e.consume(h),T):Y(h)?(e.consume(h),U):n(h)}function c(h){return h===45?(e.consume(h),u):h===91?(e.consume(h),s=0,w):Y(h)?(e.consume(h),V):n(h)}function u(h){return h===45?(e.consume(h),p):n(h)}function d(h){return h===null?n(h):h===45?(e.consume(h),m):S(h)?(o=d,J(h)):(e.consume(h),d)}function m(h){return h===45?(e.consume(h),p):d(h)}function p(h){return h===62?G(h):h===45?m(h):d(h)}function w(h){let he="CDATA[";return h===he.charCodeAt(s++)?(e.consume(h),s===he.length?B:w):n(h)}function B(h){return h===null?n(h):h===93?(e.consume(h),R):S(h)?(o=B,J(h)):(e.consume(h),B)}function R(h){return h===93?(e.consume(h),$):B(h)}function $(h){return h===62?G(h):h===93?(e.consume(h),$):B(h)}function V(h){return h===null||h===62?G(h):S(h)?(o=V,J(h)):(e.consume(h),V)}function T(h){return h===null?n(h):h===63?(e.consume(h),D):S(h)?(o=T,J(h)):(e.consume(h),T)}function D(h){return h===62?G(h):T(h)}function N(h){return Y(h)?(e.consume(h),x):n(h)}function x(h){return h===45||Z(h)?(e.consume(h),x):F(h)}function F(h){return S(h)?(o=F,J(h)):_(h)?(e.consume(h),F):G(h)}function U(h){return h===45||Z(h)?(e.consume(h),U):h===47||h===62||O(h)?K(h):n(h)}function K(h){return h===47?(e.consume(h),G):h===58||h===95||Y(h)?(e.consume(h),b):S(h)?(o=K,J(h)):_(h)?(e.consume(h),K):G(h)}function b(h){return h===45||h===46||h===58||h===95||Z(h)?(e.consume(h),b):H(h)}function H(h){return h===61?(e.consume(h),j):S(h)?(o=H,J(h)):_(h)?(e.consume(h),H):K(h)}function j(h){return h===null||h===60||h===61||h===62||h===96?n(h):h===34||h===39?(e.consume(h),r=h,E):S(h)?(o=j,J(h)):_(h)?(e.consume(h),j):(e.consume(h),L)}function E(h){return h===r?(e.consume(h),r=void 0,P):h===null?n(h):S(h)?(o=E,J(h)):(e.consume(h),E)}function L(h){return h===null||h===34||h===39||h===60||h===61||h===96?n(h):h===47||h===62||O(h)?K(h):(e.consume(h),L)}function P(h){return h===47||h===62||O(h)?K(h):n(h)}function G(h){return h===62?(e.consume(h),e.exit("htmlTextData"),e.exit("htmlText"),t):n(h)}function J(h){return e.exit("htmlTextData"),e.enter("lineEnding"),e.consume(h),e.exit("lineEnding"),me}function me(h){return _(h)?A(e,ke,"linePrefix",i.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(h):ke(h)}function ke(h){return e.enter("htmlTextData"),o(h)}}var Ie={name:"labelEnd",resolveAll:Fl,resolveTo:Ol,tokenize:Dl},Ll={tokenize:Hl},Rl={tokenize:ql},zl={tokenize:Nl};function Fl(e){let t=-1,n=[];for(;++t<e.length;){let i=e[t][1];if(n.push(e[t]),i.type==="labelImage"||i.type==="labelLink"||i.type==="labelEnd"){let r=i.type==="labelImage"?4:2;i.type="data",t+=r}}return e.length!==n.length&&ee(e,0,e.length,n),e}function Ol(e,t){let n=e.length,i=0,r,s,o;for(;n--;){let u=e[n][1];if(r){if(u.type==="link"||u.type==="labelLink"&&u._inactive)break;e[n][0]==="enter"&&u.type==="labelLink"&&(u._inactive=!0)}else if(s){if(e[n][0]==="enter"&&(u.type==="labelImage"||u.type==="labelLink")&&!u._balanced&&(r=n,u.type!=="labelLink")){i=2;break}}else u.type==="labelEnd"&&(s=n)}let a={type:e[r][1].type==="labelLink"?"link":"image",start:{...e[r][1].start},end:{...e[e.length-1][1].end}},l={type:"label",start:{...e[r][1].start},end:{...e[s][1].end}},c={type:"labelText",start:{...e[r+i+2][1].end},end:{...e[s-2][1].start}};return o=[["enter",a,t],["enter",l,t]],o=se(o,e.slice(r+1,r+i+3)),o=se(o,[["enter",c,t]]),o=se(o,He(t.parser.constructs.insideSpan.null,e.slice(r+i+4,s-3),t)),o=se(o,[["exit",c,t],e[s-2],e[s-1],["exit",l,t]]),o=se(o,e.slice(s+1)),o=se(o,[["exit",a,t]]),ee(e,r,e.length,o),e}function Dl(e,t,n){let i=this,r=i._labelStarts,s,o;if(r){for(;r.length>0&&r[r.length-1]._balanced;)r.pop();s=r[r.length-1]}return a;function a(m){return s?s._inactive?d(m):(o=i.parser.defined.includes(Ae(i.sliceSerialize({start:s.end,end:i.now()}))),e.enter("labelEnd"),e.enter("labelMarker"),e.consume(m),e.exit("labelMarker"),e.exit("labelEnd"),l):n(m)}function l(m){return m===40?e.attempt(Ll,u,o?u:d)(m):m===91?e.attempt(Rl,u,o?c:d)(m):o?u(m):d(m)}function c(m){return e.attempt(zl,u,d)(m)}function u(m){return r.pop(),t(m)}function d(m){return s._balanced=!0,n(m)}}function Hl(e,t,n){return i;function i(d){return e.enter("resource"),e.enter("resourceMarker"),e.consume(d),e.exit("resourceMarker"),r}function r(d){return O(d)?Ze(e,s)(d):s(d)}function s(d){return d===41?u(d):An(e,o,a,"resourceDestination","resourceDestinationLiteral","resourceDestinationLiteralMarker","resourceDestinationRaw","resourceDestinationString",32)(d)}function o(d){return O(d)?Ze(e,l)(d):u(d)}function a(d){return n(d)}function l(d){return d===34||d===39||d===40?In(e,c,n,"resourceTitle","resourceTitleMarker","resourceTitleString")(d):u(d)}function c(d){return O(d)?Ze(e,u)(d):u(d)}function u(d){return d===41?(e.enter("resourceMarker"),e.consume(d),e.exit("resourceMarker"),e.exit("resource"),t):n(d)}}function ql(e,t,n){let i=this;return r;function r(a){return Bn.call(i,e,s,o,"reference","referenceMarker","referenceString")(a)}function s(a){return i.parser.defined.includes(Ae(i.sliceSerialize(i.events[i.events.length-1][1]).slice(1,-1)))?t(a):n(a)}function o(a){return n(a)}}function Nl(e,t,n){return i;function i(s){return e.enter("reference"),e.enter("referenceMarker"),e.consume(s),e.exit("referenceMarker"),r}function r(s){return s===93?(e.enter("referenceMarker"),e.consume(s),e.exit("referenceMarker"),e.exit("reference"),t):n(s)}}var Ti={name:"labelStartImage",resolveAll:Ie.resolveAll,tokenize:Ul};function Ul(e,t,n){let i=this,r;return s;function s(l){return e.enter("labelImage"),e.enter("labelImageMarker"),e.consume(l),e.exit("labelImageMarker"),o}function o(l){return l===91?(e.enter("labelMarker"),e.consume(l),e.exit("labelMarker"),r=e.exit("labelImage"),a):n(l)}function a(l){return l===94&&"_hiddenFootnoteSupport"in i.parser.constructs?n(l):(i._labelStarts=i._labelStarts||[],i._labelStarts.push(r),t(l))}}var Dt={name:"labelStartLink",resolveAll:Ie.resolveAll,tokenize:jl};function jl(e,t,n){let i=this,r;return s;function s(a){return e.enter("labelLink"),e.enter("labelMarker"),e.consume(a),e.exit("labelMarker"),r=e.exit("labelLink"),o}function o(a){return a===94&&"_hiddenFootnoteSupport"in i.parser.constructs?n(a):(i._labelStarts=i._labelStarts||[],i._labelStarts.push(r),t(a))}}var Ht={name:"lineEnding",tokenize:Wl};function Wl(e,t){return n;function n(i){return e.enter("lineEnding"),e.consume(i),e.exit("lineEnding"),A(e,t,"linePrefix")}}var Xe={name:"thematicBreak",tokenize:Vl};function Vl(e,t,n){let i=0,r;return s;function s(c){return e.enter("thematicBreak"),o(c)}function o(c){return r=c,a(c)}function a(c){return c===r?(e.enter("thematicBreakSequence"),l(c)):i>=3&&(c===null||S(c))?(e.exit("thematicBreak"),t(c)):n(c)}function l(c){return c===r?(e.consume(c),i++,l):(e.exit("thematicBreakSequence"),_(c)?A(e,a,"whitespace")(c):a(c))}}var te={continuation:{tokenize:Jl},exit:Zl,name:"list",tokenize:Gl},Ql={partial:!0,tokenize:Xl},Kl={partial:!0,tokenize:Yl};function Gl(e,t,n){let i=this,r=i.events[i.events.length-1],s=r&&r[1].type==="linePrefix"?r[2].sliceSerialize(r[1],!0).length:0,o=0;return a;function a(p){let w=i.containerState.type||(p===42||p===43||p===45?"listUnordered":"listOrdered");if(w==="listUnordered"?!i.containerState.marker||p===i.containerState.marker:Mt(p)){if(i.containerState.type||(i.containerState.type=w,e.enter(w,{_container:!0})),w==="listUnordered")return e.enter("listItemPrefix"),p===42||p===45?e.check(Xe,n,c)(p):c(p);if(!i.interrupt||p===49)return e.enter("listItemPrefix"),e.enter("listItemValue"),l(p)}return n(p)}function l(p){return Mt(p)&&++o<10?(e.consume(p),l):(!i.interrupt||o<2)&&(i.containerState.marker?p===i.containerState.marker:p===41||p===46)?(e.exit("listItemValue"),c(p)):n(p)}function c(p){return e.enter("listItemMarker"),e.consume(p),e.exit("listItemMarker"),i.containerState.marker=i.containerState.marker||p,e.check(Ne,i.interrupt?n:u,e.attempt(Ql,m,d))}function u(p){return i.containerState.initialBlankLine=!0,s++,m(p)}function d(p){return _(p)?(e.enter("listItemPrefixWhitespace"),e.consume(p),e.exit("listItemPrefixWhitespace"),m):n(p)}function m(p){return i.containerState.size=s+i.sliceSerialize(e.exit("listItemPrefix"),!0).length,t(p)}}function Jl(e,t,n){let i=this;return i.containerState._closeFlow=void 0,e.check(Ne,r,s);function r(a){return i.containerState.furtherBlankLines=i.containerState.furtherBlankLines||i.containerState.initialBlankLine,A(e,t,"listItemIndent",i.containerState.size+1)(a)}function s(a){return i.containerState.furtherBlankLines||!_(a)?(i.containerState.furtherBlankLines=void 0,i.containerState.initialBlankLine=void 0,o(a)):(i.containerState.furtherBlankLines=void 0,i.containerState.initialBlankLine=void 0,e.attempt(Kl,t,o)(a))}function o(a){return i.containerState._closeFlow=!0,i.interrupt=void 0,A(e,e.attempt(te,t,n),"linePrefix",i.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(a)}}function Yl(e,t,n){let i=this;return A(e,r,"listItemIndent",i.containerState.size+1);function r(s){let o=i.events[i.events.length-1];return o&&o[1].type==="listItemIndent"&&o[2].sliceSerialize(o[1],!0).length===i.containerState.size?t(s):n(s)}}function Zl(e){e.exit(this.containerState.type)}function Xl(e,t,n){let i=this;return A(e,r,"listItemPrefixWhitespace",i.parser.constructs.disable.null.includes("codeIndented")?void 0:5);function r(s){let o=i.events[i.events.length-1];return!_(s)&&o&&o[1].type==="listItemPrefixWhitespace"?t(s):n(s)}}var Mn={name:"setextUnderline",resolveTo:eu,tokenize:tu};function eu(e,t){let n=new Be,i=e.length,r,s,o;for(;i--;)if(e[i][0]==="enter"){if(e[i][1].type==="content"){r=i;break}e[i][1].type==="paragraph"&&(s=i)}else e[i][1].type==="content"&&n.add(i,1,[]),!o&&e[i][1].type==="definition"&&(o=i);let a={type:"setextHeading",start:{...e[r][1].start},end:{...e[e.length-1][1].end}};return e[s][1].type="setextHeadingText",o?(n.add(s,0,[["enter",a,t]]),n.add(o+1,0,[["exit",e[r][1],t]]),e[r][1].end={...e[o][1].end}):e[r][1]=a,n.add(e.length,0,[["exit",a,t]]),n.consume(e),e}function tu(e,t,n){let i=this,r;return s;function s(c){let u=i.events.length,d;for(;u--;)if(i.events[u][1].type!=="lineEnding"&&i.events[u][1].type!=="linePrefix"&&i.events[u][1].type!=="content"){d=i.events[u][1].type==="paragraph";break}return!i.parser.lazy[i.now().line]&&(i.interrupt||d)?(e.enter("setextHeadingLine"),r=c,o(c)):n(c)}function o(c){return e.enter("setextHeadingLineSequence"),a(c)}function a(c){return c===r?(e.consume(c),a):(e.exit("setextHeadingLineSequence"),_(c)?A(e,l,"lineSuffix")(c):l(c))}function l(c){return c===null||S(c)?(e.exit("setextHeadingLine"),t(c)):n(c)}}var ws={tokenize:nu};function nu(e){let t=this,n=e.attempt(Ne,i,e.attempt(this.parser.constructs.flowInitial,r,A(e,e.attempt(this.parser.constructs.flow,r,e.attempt(xi,r)),"linePrefix")));return n;function i(s){if(s===null){e.consume(s);return}return e.enter("lineEndingBlank"),e.consume(s),e.exit("lineEndingBlank"),t.currentConstruct=void 0,n}function r(s){if(s===null){e.consume(s);return}return e.enter("lineEnding"),e.consume(s),e.exit("lineEnding"),t.currentConstruct=void 0,n}}var vs={resolveAll:Ts()},$s=Ss("string"),Cs=Ss("text");function Ss(e){return{resolveAll:Ts(e==="text"?iu:void 0),tokenize:t};function t(n){let i=this,r=this.parser.constructs[e],s=n.attempt(r,o,a);return o;function o(u){return c(u)?s(u):a(u)}function a(u){if(u===null){n.consume(u);return}return n.enter("data"),n.consume(u),l}function l(u){return c(u)?(n.exit("data"),s(u)):(n.consume(u),l)}function c(u){if(u===null)return!0;let d=r[u],m=-1;if(d)for(;++m<d.length;){let p=d[m];if(!p.previous||p.previous.call(i,i.previous))return!0}return!1}}}function Ts(e){return t;function t(n,i){let r=-1,s;for(;++r<=n.length;)s===void 0?n[r]&&n[r][1].type==="data"&&(s=r,r++):(!n[r]||n[r][1].type!=="data")&&(r!==s+2&&(n[s][1].end=n[r-1][1].end,n.splice(s+2,r-s-2),r=s+2),s=void 0);return e?e(n,i):n}}function iu(e,t){let n=new Be,i=0;for(;++i<=e.length;)if((i===e.length||e[i][1].type==="lineEnding")&&e[i-1][1].type==="data"){let r=e[i-1][1],s=t.sliceStream(r),o=s.length,a=-1,l=0,c;for(;o--;){let u=s[o];if(typeof u=="string"){for(a=u.length;u.charCodeAt(a-1)===32;)l++,a--;if(a)break;a=-1}else if(u===-2)c=!0,l++;else if(u!==-1){o++;break}}if(t._contentTypeTextTrailing&&i===e.length&&(l=0),l){let u={type:i===e.length||c||l<2?"lineSuffix":"hardBreakTrailing",start:{_bufferIndex:o?a:r.start._bufferIndex+a,_index:r.start._index+o,line:r.end.line,column:r.end.column-l,offset:r.end.offset-l},end:{...r.end}};r.end={...u.start},r.start.offset===r.end.offset?Object.assign(r,u):n.add(i,0,[["enter",u,t],["exit",u,t]])}i++}return n.consume(e),e}var Ei={};ca(Ei,{attentionMarkers:()=>du,contentInitial:()=>su,disable:()=>pu,document:()=>ru,flow:()=>au,flowInitial:()=>ou,insideSpan:()=>cu,string:()=>lu,text:()=>uu});var ru={42:te,43:te,45:te,48:te,49:te,50:te,51:te,52:te,53:te,54:te,55:te,56:te,57:te,62:ht},su={91:yi},ou={[-2]:zt,[-1]:zt,32:zt},au={35:vi,42:Xe,45:[Mn,Xe],60:Ci,61:Mn,95:Xe,96:Tn,126:Tn},lu={38:Sn,92:Cn},uu={[-5]:Ht,[-4]:Ht,[-3]:Ht,33:Ti,38:Sn,42:qe,60:[Lt,Si],91:Dt,92:[wi,Cn],93:Ie,95:qe,96:Ft},cu={null:[qe,vs]},du={null:[42,95]},pu={null:[]};function Es(e,t,n){let i={_bufferIndex:-1,_index:0,line:n&&n.line||1,column:n&&n.column||1,offset:n&&n.offset||0},r={},s=[],o=[],a=[],l=!0,c={attempt:K(F),check:K(U),consume:D,enter:N,exit:x,interrupt:K(U,{interrupt:!0})},u={code:null,containerState:{},defineSkip:$,events:[],now:R,parser:e,previous:null,sliceSerialize:w,sliceStream:B,write:p},d=t.tokenize.call(u,c),m;return t.resolveAll&&s.push(t),u;function p(E){return o=se(o,E),V(),o[o.length-1]!==null?[]:(b(t,0),u.events=He(s,u.events,u),u.events)}function w(E,L){return fu(B(E),L)}function B(E){return hu(o,E)}function R(){let{_bufferIndex:E,_index:L,line:P,column:G,offset:J}=i;return{_bufferIndex:E,_index:L,line:P,column:G,offset:J}}function $(E){r[E.line]=E.column,j()}function V(){for(;i._index<o.length;){let E=o[i._index];if(typeof E=="string"){let L=i._index;for(i._bufferIndex<0&&(i._bufferIndex=0);i._index===L&&i._bufferIndex<E.length;)T(E.charCodeAt(i._bufferIndex))}else T(E)}}function T(E){l=void 0,m=E,d=d(E)}function D(E){S(E)?(i.line++,i.column=1,i.offset+=E===-3?2:1,j()):E!==-1&&(i.column++,i.offset++),i._bufferIndex<0?i._index++:(i._bufferIndex++,i._bufferIndex===o[i._index].length&&(i._bufferIndex=-1,i._index++)),u.previous=E,l=!0}function N(E,L){let P=L||{};return P.type=E,P.start=R(),u.events.push(["enter",P,u]),a.push(P),P}function x(E){let L=a.pop();return L.end=R(),u.events.push(["exit",L,u]),L}function F(E,L){b(E,L.from)}function U(E,L){L.restore()}function K(E,L){return P;function P(G,J,me){let ke,h,he,ve;return Array.isArray(G)?de(G):"tokenize"in G?de([G]):f(G);function f(ne){return bt;function bt($e){let rt=$e!==null&&ne[$e],je=$e!==null&&ne.null,Gn=[...Array.isArray(rt)?rt:rt?[rt]:[],...Array.isArray(je)?je:je?[je]:[]];return de(Gn)($e)}}function de(ne){return ke=ne,h=0,ne.length===0?me:it(ne[h])}function it(ne){return bt;function bt($e){return ve=H(),he=ne,ne.partial||(u.currentConstruct=ne),ne.name&&u.parser.constructs.disable.null.includes(ne.name)?Kt($e):ne.tokenize.call(L?Object.assign(Object.create(u),L):u,c,Qt,Kt)($e)}}function Qt(ne){return l=!0,E(he,ve),J}function Kt(ne){return l=!0,ve.restore(),++h<ke.length?it(ke[h]):me}}}function b(E,L){E.resolveAll&&!s.includes(E)&&s.push(E),E.resolve&&ee(u.events,L,u.events.length-L,E.resolve(u.events.slice(L),u)),E.resolveTo&&(u.events=E.resolveTo(u.events,u))}function H(){let E=R(),L=u.previous,P=u.currentConstruct,G=u.events.length,J=Array.from(a);return{from:G,restore:me};function me(){i=E,u.previous=L,u.currentConstruct=P,u.events.length=G,a=J,j()}}function j(){i.line in r&&i.column<2&&(i.column=r[i.line],i.offset+=r[i.line]-1)}}function hu(e,t){let n=t.start._index,i=t.start._bufferIndex,r=t.end._index,s=t.end._bufferIndex,o;if(n===r)o=[e[n].slice(i,s)];else{if(o=e.slice(n,r),i>-1){let a=o[0];typeof a=="string"?o[0]=a.slice(i):o.shift()}s>0&&o.push(e[r].slice(0,s))}return o}function fu(e,t){let n=-1,i=[],r;for(;++n<e.length;){let s=e[n],o;if(typeof s=="string")o=s;else switch(s){case-5:{o="\r";break}case-4:{o=`
`;break}case-3:{o=`\r
`;break}case-2:{o=t?" ":"	";break}case-1:{if(!t&&r)continue;o=" ";break}default:o=String.fromCharCode(s)}r=s===-2,i.push(o)}return i.join("")}function _i(e){let i={constructs:ds([Ei,...(e||{}).extensions||[]]),content:r(ms),defined:[],document:r(ks),flow:r(ws),lazy:{},string:r($s),text:r(Cs)};return i;function r(s){return o;function o(a){return Es(i,s,a)}}}function Ai(e){for(;!_n(e););return e}var _s=/[\0\t\n\r]/g;function Bi(){let e=1,t="",n=!0,i;return r;function r(s,o,a){s=t+(typeof s=="string"?s.toString():new TextDecoder(o||void 0).decode(s));let l=[],c=0;for(t="",n&&(s.charCodeAt(0)===65279&&c++,n=void 0);c<s.length;){_s.lastIndex=c;let u=_s.exec(s),d=u&&u.index!==void 0?u.index:s.length,m=s.charCodeAt(d);if(!u){t=s.slice(c);break}if(m===10&&c===d&&i)l.push(-3),i=void 0;else switch(i&&(l.push(-5),i=void 0),c<d&&(l.push(s.slice(c,d)),e+=d-c),m){case 0:{l.push(65533),e++;break}case 9:{let p=Math.ceil(e/4)*4;for(l.push(-2);e++<p;)l.push(-1);break}case 10:{l.push(-4),e=1;break}default:i=!0,e=1}c=d+1}return a&&(i&&l.push(-5),t&&l.push(t),l.push(null)),l}}var mu=/\\([!-/:-@[-`{-~])|&(#(?:\d{1,7}|x[\da-f]{1,6})|[\da-z]{1,31});/gi;function As(e){return e.replace(mu,gu)}function gu(e,t,n){if(t)return t;if(n.charCodeAt(0)===35){let r=n.charCodeAt(1),s=r===120||r===88;return $n(n.slice(s?2:1),s?16:10)}return dt(n)||e}function ft(e){return!e||typeof e!="object"?"":"position"in e||"type"in e?Bs(e.position):"start"in e||"end"in e?Bs(e):"line"in e||"column"in e?Ii(e):""}function Ii(e){return Is(e&&e.line)+":"+Is(e&&e.column)}function Bs(e){return Ii(e&&e.start)+"-"+Ii(e&&e.end)}function Is(e){return e&&typeof e=="number"?e:1}var Ps={}.hasOwnProperty;function Mi(e,t,n){return t&&typeof t=="object"&&(n=t,t=void 0),bu(n)(Ai(_i(n).document().write(Bi()(e,t,!0))))}function bu(e){let t={afterExit:[],beforeEnter:[],transforms:[],canContainEols:["emphasis","fragment","heading","paragraph","strong"],enter:{autolink:o(dr),autolinkProtocol:b,autolinkEmail:b,atxHeading:o(lr),blockQuote:o(rt),characterEscape:b,characterReference:b,codeFenced:o(je),codeFencedFenceInfo:a,codeFencedFenceMeta:a,codeIndented:o(je,a),codeText:o(Gn,a),codeTextData:b,data:b,codeFlowValue:b,definition:o(ta),definitionDestinationString:a,definitionLabelString:a,definitionTitleString:a,emphasis:o(na),hardBreakEscape:o(ur),hardBreakTrailing:o(ur),htmlFlow:o(cr,a),htmlFlowData:b,htmlText:o(cr,a),htmlTextData:b,image:o(ia),label:a,link:o(dr),listItem:o(ra),listItemValue:p,listOrdered:o(pr,m),listUnordered:o(pr),paragraph:o(sa),reference:de,referenceString:a,resourceDestinationString:a,resourceTitleString:a,setextHeading:o(lr),strong:o(oa),thematicBreak:o(la)},exit:{atxHeading:c(),atxHeadingSequence:x,autolink:c(),autolinkEmail:$e,autolinkProtocol:bt,blockQuote:c(),characterEscapeValue:H,characterReferenceMarkerHexadecimal:Qt,characterReferenceMarkerNumeric:Qt,characterReferenceValue:Kt,characterReference:ne,codeFenced:c($),codeFencedFence:R,codeFencedFenceInfo:w,codeFencedFenceMeta:B,codeFlowValue:H,codeIndented:c(V),codeText:c(G),codeTextData:H,data:H,definition:c(),definitionDestinationString:N,definitionLabelString:T,definitionTitleString:D,emphasis:c(),hardBreakEscape:c(E),hardBreakTrailing:c(E),htmlFlow:c(L),htmlFlowData:H,htmlText:c(P),htmlTextData:H,image:c(me),label:h,labelText:ke,lineEnding:j,link:c(J),listItem:c(),listOrdered:c(),listUnordered:c(),paragraph:c(),referenceString:it,resourceDestinationString:he,resourceTitleString:ve,resource:f,setextHeading:c(K),setextHeadingLineSequence:U,setextHeadingText:F,strong:c(),thematicBreak:c()}};Ls(t,(e||{}).mdastExtensions||[]);let n={};return i;function i(k){let v={type:"root",children:[],position:void 0},I={stack:[v],tokenStack:[],config:t,enter:l,exit:u,buffer:a,resume:d,data:n},M=[],oe=[],Q=-1;for(;++Q<k.length;)if(oe.push(k[Q]),k[Q][1].type==="listOrdered"||k[Q][1].type==="listUnordered")if(k[Q][0]==="enter")M.push(oe.length-1);else{let ae=M.pop();s(oe,ae)}for(k=oe,Q=-1;++Q<k.length;){let ae=t[k[Q][0]];k[Q][0]==="enter"&&t.beforeEnter.length>0&&r(t.beforeEnter,{...I,sliceSerialize:k[Q][2].sliceSerialize},k[Q][1]),Ps.call(ae,k[Q][1].type)&&ae[k[Q][1].type].call({...I,sliceSerialize:k[Q][2].sliceSerialize},k[Q][1]),k[Q][0]==="exit"&&t.afterExit.length>0&&r(t.afterExit,{...I,sliceSerialize:k[Q][2].sliceSerialize},k[Q][1])}if(I.tokenStack.length>0){let ae=I.tokenStack[I.tokenStack.length-1];(ae[1]||Ms).call(I,void 0,ae[0])}for(v.position={start:Ue(k.length>0?k[0][1].start:{line:1,column:1,offset:0}),end:Ue(k.length>0?k[k.length-2][1].end:{line:1,column:1,offset:0})},Q=-1;++Q<t.transforms.length;)v=t.transforms[Q](v)||v;return v}function r(k,v,I){let M=-1;for(;++M<k.length;)k[M].call(v,I)}function s(k,v){let I=k.length-1,M=v-1,oe=-1,Q=!1,ae,xe,kt,xt,yt=[];for(;++M<=I;){let pe=k[M];switch(pe[1].type){case"listUnordered":case"listOrdered":case"blockQuote":{pe[0]==="enter"?oe++:oe--,xt=void 0;break}case"lineEndingBlank":{pe[0]==="enter"&&(ae&&!xt&&!oe&&!kt&&(kt=M),xt=void 0);break}case"linePrefix":case"listItemValue":case"listItemMarker":case"listItemPrefix":case"listItemPrefixWhitespace":break;default:xt=void 0}if(!oe&&pe[0]==="enter"&&pe[1].type==="listItemPrefix"||oe===-1&&pe[0]==="exit"&&(pe[1].type==="listUnordered"||pe[1].type==="listOrdered")){if(ae){let st=M;for(xe=void 0;st--;){let Ce=k[st];if(Ce[1].type==="lineEnding"||Ce[1].type==="lineEndingBlank"){if(Ce[0]==="exit")continue;xe&&(k[xe][1].type="lineEndingBlank",Q=!0),Ce[1].type="lineEnding",xe=st}else if(!(Ce[1].type==="linePrefix"||Ce[1].type==="blockQuotePrefix"||Ce[1].type==="blockQuotePrefixWhitespace"||Ce[1].type==="blockQuoteMarker"||Ce[1].type==="listItemIndent"))break}kt&&(!xe||kt<xe)&&(ae._spread=!0),ae.end=Object.assign({},xe?k[xe][1].start:pe[1].end),yt.push({at:xe||M,event:["exit",ae,pe[2]]})}if(pe[1].type==="listItemPrefix"){let st={type:"listItem",_spread:!1,start:Object.assign({},pe[1].start),end:void 0};ae=st,yt.push({at:M,event:["enter",st,pe[2]]}),kt=void 0,xt=!0}}}let hr=k.splice(v),Jn=0;for(M=-1;++M<hr.length;){for(;Jn<yt.length&&yt[Jn].at===v+M;)k.push(yt[Jn++].event);k.push(hr[M])}k[v][1]._spread=Q}function o(k,v){return I;function I(M){l.call(this,k(M),M),v&&v.call(this,M)}}function a(){this.stack.push({type:"fragment",children:[]})}function l(k,v,I){this.stack[this.stack.length-1].children.push(k),this.stack.push(k),this.tokenStack.push([v,I||void 0]),k.position={start:Ue(v.start),end:void 0}}function c(k){return v;function v(I){k&&k.call(this,I),u.call(this,I)}}function u(k,v){let I=this.stack.pop(),M=this.tokenStack.pop();if(!M)throw new Error("Cannot close `"+k.type+"` ("+ft({start:k.start,end:k.end})+"): it’s not open");M[0].type!==k.type&&(v?v.call(this,k,M[0]):(M[1]||Ms).call(this,k,M[0])),I.position.end=Ue(k.end)}function d(){return bi(this.stack.pop())}function m(){this.data.expectingFirstListItemValue=!0}function p(k){if(this.data.expectingFirstListItemValue){let v=this.stack[this.stack.length-2];v.start=Number.parseInt(this.sliceSerialize(k),10),this.data.expectingFirstListItemValue=void 0}}function w(){let k=this.resume(),v=this.stack[this.stack.length-1];v.lang=k}function B(){let k=this.resume(),v=this.stack[this.stack.length-1];v.meta=k}function R(){this.data.flowCodeInside||(this.buffer(),this.data.flowCodeInside=!0)}function $(){let k=this.resume(),v=this.stack[this.stack.length-1];v.value=k.replace(/^(\r?\n|\r)|(\r?\n|\r)$/g,""),this.data.flowCodeInside=void 0}function V(){let k=this.resume(),v=this.stack[this.stack.length-1];v.value=k.replace(/(\r?\n|\r)$/g,"")}function T(k){let v=this.resume(),I=this.stack[this.stack.length-1];I.label=v,I.identifier=Ae(this.sliceSerialize(k)).toLowerCase()}function D(){let k=this.resume(),v=this.stack[this.stack.length-1];v.title=k}function N(){let k=this.resume(),v=this.stack[this.stack.length-1];v.url=k}function x(k){let v=this.stack[this.stack.length-1];if(!v.depth){let I=this.sliceSerialize(k).length;v.depth=I}}function F(){this.data.setextHeadingSlurpLineEnding=!0}function U(k){let v=this.stack[this.stack.length-1];v.depth=this.sliceSerialize(k).codePointAt(0)===61?1:2}function K(){this.data.setextHeadingSlurpLineEnding=void 0}function b(k){let I=this.stack[this.stack.length-1].children,M=I[I.length-1];(!M||M.type!=="text")&&(M=aa(),M.position={start:Ue(k.start),end:void 0},I.push(M)),this.stack.push(M)}function H(k){let v=this.stack.pop();v.value+=this.sliceSerialize(k),v.position.end=Ue(k.end)}function j(k){let v=this.stack[this.stack.length-1];if(this.data.atHardBreak){let I=v.children[v.children.length-1];I.position.end=Ue(k.end),this.data.atHardBreak=void 0;return}!this.data.setextHeadingSlurpLineEnding&&t.canContainEols.includes(v.type)&&(b.call(this,k),H.call(this,k))}function E(){this.data.atHardBreak=!0}function L(){let k=this.resume(),v=this.stack[this.stack.length-1];v.value=k}function P(){let k=this.resume(),v=this.stack[this.stack.length-1];v.value=k}function G(){let k=this.resume(),v=this.stack[this.stack.length-1];v.value=k}function J(){let k=this.stack[this.stack.length-1];if(this.data.inReference){let v=this.data.referenceType||"shortcut";k.type+="Reference",k.referenceType=v,delete k.url,delete k.title}else delete k.identifier,delete k.label;this.data.referenceType=void 0}function me(){let k=this.stack[this.stack.length-1];if(this.data.inReference){let v=this.data.referenceType||"shortcut";k.type+="Reference",k.referenceType=v,delete k.url,delete k.title}else delete k.identifier,delete k.label;this.data.referenceType=void 0}function ke(k){let v=this.sliceSerialize(k),I=this.stack[this.stack.length-2];I.label=As(v),I.identifier=Ae(v).toLowerCase()}function h(){let k=this.stack[this.stack.length-1],v=this.resume(),I=this.stack[this.stack.length-1];if(this.data.inReference=!0,I.type==="link"){let M=k.children;I.children=M}else I.alt=v}function he(){let k=this.resume(),v=this.stack[this.stack.length-1];v.url=k}function ve(){let k=this.resume(),v=this.stack[this.stack.length-1];v.title=k}function f(){this.data.inReference=void 0}function de(){this.data.referenceType="collapsed"}function it(k){let v=this.resume(),I=this.stack[this.stack.length-1];I.label=v,I.identifier=Ae(this.sliceSerialize(k)).toLowerCase(),this.data.referenceType="full"}function Qt(k){this.data.characterReferenceType=k.type}function Kt(k){let v=this.sliceSerialize(k),I=this.data.characterReferenceType,M;I?(M=$n(v,I==="characterReferenceMarkerNumeric"?10:16),this.data.characterReferenceType=void 0):M=dt(v);let oe=this.stack[this.stack.length-1];oe.value+=M}function ne(k){let v=this.stack.pop();v.position.end=Ue(k.end)}function bt(k){H.call(this,k);let v=this.stack[this.stack.length-1];v.url=this.sliceSerialize(k)}function $e(k){H.call(this,k);let v=this.stack[this.stack.length-1];v.url="mailto:"+this.sliceSerialize(k)}function rt(){return{type:"blockquote",children:[],position:void 0}}function je(){return{type:"code",lang:null,meta:null,value:"",position:void 0}}function Gn(){return{type:"inlineCode",value:"",position:void 0}}function ta(){return{type:"definition",identifier:"",label:null,title:null,url:"",position:void 0}}function na(){return{type:"emphasis",children:[],position:void 0}}function lr(){return{type:"heading",depth:0,children:[],position:void 0}}function ur(){return{type:"break",position:void 0}}function cr(){return{type:"html",value:"",position:void 0}}function ia(){return{type:"image",title:null,url:"",alt:null,position:void 0}}function dr(){return{type:"link",title:null,url:"",children:[],position:void 0}}function pr(k){return{type:"list",ordered:k.type==="listOrdered",start:null,spread:k._spread,children:[],position:void 0}}function ra(k){return{type:"listItem",spread:k._spread,checked:null,children:[],position:void 0}}function sa(){return{type:"paragraph",children:[],position:void 0}}function oa(){return{type:"strong",children:[],position:void 0}}function aa(){return{type:"text",value:"",position:void 0}}function la(){return{type:"thematicBreak",position:void 0}}}function Ue(e){return{line:e.line,column:e.column,offset:e.offset}}function Ls(e,t){let n=-1;for(;++n<t.length;){let i=t[n];Array.isArray(i)?Ls(e,i):ku(e,i)}}function ku(e,t){let n;for(n in t)if(Ps.call(t,n))switch(n){case"canContainEols":{let i=t[n];i&&e[n].push(...i);break}case"transforms":{let i=t[n];i&&e[n].push(...i);break}case"afterExit":case"beforeEnter":{let i=t[n];i&&e[n].push(i);break}case"enter":case"exit":{let i=t[n];i&&Object.assign(e[n],i);break}}}function Ms(e,t){throw e?new Error("Cannot close `"+e.type+"` ("+ft({start:e.start,end:e.end})+"): a different token (`"+t.type+"`, "+ft({start:t.start,end:t.end})+") is open"):new Error("Cannot close document, a token (`"+t.type+"`, "+ft({start:t.start,end:t.end})+") is still open")}Rs.attention=wu;Rs.peek=vu;function Pi(){return{canContainEols:["delete"],enter:{strikethrough:xu},exit:{strikethrough:yu}}}function xu(e){this.enter({type:"delete",children:[],position:void 0},e)}function yu(e){this.exit(e)}function Rs(e,t,n,i){let r=n.createTracker(i),s=n.stack.includes("strikethrough")?"~":"~~",o=n.enter("strikethrough"),a=r.move(s);return a+=n.containerPhrasing(e,{...r.current(),before:a,after:"~"}),a+=r.move(s),o(),a}function wu(){return{construct:"strikethrough",markers:["~"],sizes:[2,1]}}function vu(){return"~"}function Ri(){return{enter:{table:$u,tableData:zs,tableHeader:zs,tableRow:Su},exit:{codeText:Tu,table:Cu,tableData:Li,tableHeader:Li,tableRow:Li}}}function $u(e){let t=e._align;this.enter({type:"table",align:t.map(function(n){return n==="none"?null:n}),children:[],position:void 0},e),this.data.inTable=!0}function Cu(e){this.exit(e),this.data.inTable=void 0}function Su(e){this.enter({type:"tableRow",children:[],position:void 0},e)}function Li(e){this.exit(e)}function zs(e){this.enter({type:"tableCell",children:[],position:void 0},e)}function Tu(e){let t=this.resume();this.data.inTable&&(t=t.replace(/\\([\\|])/g,Eu));let n=this.stack[this.stack.length-1];n.type,n.value=t,this.exit(e)}function Eu(e,t){return t==="|"?t:e}function zi(){return{exit:{taskListCheckValueChecked:Fs,taskListCheckValueUnchecked:Fs,paragraph:_u}}}function Fs(e){let t=this.stack[this.stack.length-2];t.type,t.checked=e.type==="taskListCheckValueChecked"}function _u(e){let t=this.stack[this.stack.length-2];if(t&&t.type==="listItem"&&typeof t.checked=="boolean"){let n=this.stack[this.stack.length-1];n.type;let i=n.children[0];if(i&&i.type==="text"){let r=t.children,s=-1,o;for(;++s<r.length;){let a=r[s];if(a.type==="paragraph"){o=a;break}}o===n&&(i.value=i.value.slice(1),i.value.length===0?n.children.shift():n.position&&i.position&&typeof i.position.start.offset=="number"&&(i.position.start.column++,i.position.start.offset++,n.position.start={...i.position.start}))}}this.exit(e)}var Au={tokenize:Lu,partial:!0},Os={tokenize:Ru,partial:!0},Ds={tokenize:zu,partial:!0},Hs={tokenize:Fu,partial:!0},Bu={tokenize:Ou,partial:!0},qs={name:"wwwAutolink",tokenize:Mu,previous:Us},Ns={name:"protocolAutolink",tokenize:Pu,previous:js},Me={name:"emailAutolink",tokenize:Iu,previous:Ws},we={};function Oi(){return{text:we}}var et=48;for(;et<123;)we[et]=Me,et++,et===58?et=65:et===91&&(et=97);we[43]=Me;we[45]=Me;we[46]=Me;we[95]=Me;we[72]=[Me,Ns];we[104]=[Me,Ns];we[87]=[Me,qs];we[119]=[Me,qs];function Iu(e,t,n){let i=this,r,s;return o;function o(d){return!Fi(d)||!Ws.call(i,i.previous)||Di(i.events)?n(d):(e.enter("literalAutolink"),e.enter("literalAutolinkEmail"),a(d))}function a(d){return Fi(d)?(e.consume(d),a):d===64?(e.consume(d),l):n(d)}function l(d){return d===46?e.check(Bu,u,c)(d):d===45||d===95||Z(d)?(s=!0,e.consume(d),l):u(d)}function c(d){return e.consume(d),r=!0,l}function u(d){return s&&r&&Y(i.previous)?(e.exit("literalAutolinkEmail"),e.exit("literalAutolink"),t(d)):n(d)}}function Mu(e,t,n){let i=this;return r;function r(o){return o!==87&&o!==119||!Us.call(i,i.previous)||Di(i.events)?n(o):(e.enter("literalAutolink"),e.enter("literalAutolinkWww"),e.check(Au,e.attempt(Os,e.attempt(Ds,s),n),n)(o))}function s(o){return e.exit("literalAutolinkWww"),e.exit("literalAutolink"),t(o)}}function Pu(e,t,n){let i=this,r="",s=!1;return o;function o(d){return(d===72||d===104)&&js.call(i,i.previous)&&!Di(i.events)?(e.enter("literalAutolink"),e.enter("literalAutolinkHttp"),r+=String.fromCodePoint(d),e.consume(d),a):n(d)}function a(d){if(Y(d)&&r.length<5)return r+=String.fromCodePoint(d),e.consume(d),a;if(d===58){let m=r.toLowerCase();if(m==="http"||m==="https")return e.consume(d),l}return n(d)}function l(d){return d===47?(e.consume(d),s?c:(s=!0,l)):n(d)}function c(d){return d===null||Ye(d)||O(d)||Oe(d)||Pt(d)?n(d):e.attempt(Os,e.attempt(Ds,u),n)(d)}function u(d){return e.exit("literalAutolinkHttp"),e.exit("literalAutolink"),t(d)}}function Lu(e,t,n){let i=0;return r;function r(o){return(o===87||o===119)&&i<3?(i++,e.consume(o),r):o===46&&i===3?(e.consume(o),s):n(o)}function s(o){return o===null?n(o):t(o)}}function Ru(e,t,n){let i,r,s;return o;function o(c){return c===46||c===95?e.check(Hs,l,a)(c):c===null||O(c)||Oe(c)||c!==45&&Pt(c)?l(c):(s=!0,e.consume(c),o)}function a(c){return c===95?i=!0:(r=i,i=void 0),e.consume(c),o}function l(c){return r||i||!s?n(c):t(c)}}function zu(e,t){let n=0,i=0;return r;function r(o){return o===40?(n++,e.consume(o),r):o===41&&i<n?s(o):o===33||o===34||o===38||o===39||o===41||o===42||o===44||o===46||o===58||o===59||o===60||o===63||o===93||o===95||o===126?e.check(Hs,t,s)(o):o===null||O(o)||Oe(o)?t(o):(e.consume(o),r)}function s(o){return o===41&&i++,e.consume(o),r}}function Fu(e,t,n){return i;function i(a){return a===33||a===34||a===39||a===41||a===42||a===44||a===46||a===58||a===59||a===63||a===95||a===126?(e.consume(a),i):a===38?(e.consume(a),s):a===93?(e.consume(a),r):a===60||a===null||O(a)||Oe(a)?t(a):n(a)}function r(a){return a===null||a===40||a===91||O(a)||Oe(a)?t(a):i(a)}function s(a){return Y(a)?o(a):n(a)}function o(a){return a===59?(e.consume(a),i):Y(a)?(e.consume(a),o):n(a)}}function Ou(e,t,n){return i;function i(s){return e.consume(s),r}function r(s){return Z(s)?n(s):t(s)}}function Us(e){return e===null||e===40||e===42||e===95||e===91||e===93||e===126||O(e)}function js(e){return!Y(e)}function Ws(e){return!(e===47||Fi(e))}function Fi(e){return e===43||e===45||e===46||e===95||Z(e)}function Di(e){let t=e.length,n=!1;for(;t--;){let i=e[t][1];if((i.type==="labelLink"||i.type==="labelImage")&&!i._balanced){n=!0;break}if(i._gfmAutolinkLiteralWalkedInto){n=!1;break}}return e.length>0&&!n&&(e[e.length-1][1]._gfmAutolinkLiteralWalkedInto=!0),n}function Hi(e){let n=(e||{}).singleTilde,i={name:"strikethrough",tokenize:s,resolveAll:r};return n==null&&(n=!0),{text:{126:i},insideSpan:{null:[i]},attentionMarkers:{null:[126]}};function r(o,a){let l=-1;for(;++l<o.length;)if(o[l][0]==="enter"&&o[l][1].type==="strikethroughSequenceTemporary"&&o[l][1]._close){let c=l;for(;c--;)if(o[c][0]==="exit"&&o[c][1].type==="strikethroughSequenceTemporary"&&o[c][1]._open&&o[l][1].end.offset-o[l][1].start.offset===o[c][1].end.offset-o[c][1].start.offset){o[l][1].type="strikethroughSequence",o[c][1].type="strikethroughSequence";let u={type:"strikethrough",start:Object.assign({},o[c][1].start),end:Object.assign({},o[l][1].end)},d={type:"strikethroughText",start:Object.assign({},o[c][1].end),end:Object.assign({},o[l][1].start)},m=[["enter",u,a],["enter",o[c][1],a],["exit",o[c][1],a],["enter",d,a]],p=a.parser.constructs.insideSpan.null;p&&ee(m,m.length,0,He(p,o.slice(c+1,l),a)),ee(m,m.length,0,[["exit",d,a],["enter",o[l][1],a],["exit",o[l][1],a],["exit",u,a]]),ee(o,c-1,l-c+3,m),l=c+m.length-2;break}}for(l=-1;++l<o.length;)o[l][1].type==="strikethroughSequenceTemporary"&&(o[l][1].type="data");return o}function s(o,a,l){let c=this.previous,u=this.events,d=0;return m;function m(w){return c===126&&u[u.length-1][1].type!=="characterEscape"?l(w):(o.enter("strikethroughSequenceTemporary"),p(w))}function p(w){let B=pt(c);if(w===126)return d>1?l(w):(o.consume(w),d++,p);if(d<2&&!n)return l(w);let R=o.exit("strikethroughSequenceTemporary"),$=pt(w);return R._open=!$||$===2&&!!B,R._close=!B||B===2&&!!$,a(w)}}}var Pn=class{constructor(){this.map=[],this.index=new Map}add(t,n,i){Du(this,t,n,i)}consume(t){if(this.map.sort(function(s,o){return s[0]-o[0]}),this.map.length===0)return;let n=this.map.length,i=[];for(;n>0;)n-=1,i.push(t.slice(this.map[n][0]+this.map[n][1]),this.map[n][2]),t.length=this.map[n][0];i.push(t.slice()),t.length=0;let r=i.pop();for(;r;){for(let s of r)t.push(s);r=i.pop()}this.map.length=0,this.index.clear()}};function Du(e,t,n,i){if(n===0&&i.length===0)return;let r=e.index.get(t);if(r){r[1]+=n,r[2].push(...i);return}let s=[t,n,i];e.map.push(s),e.index.set(t,s)}function Vs(e,t){let n=!1,i=[];for(;t<e.length;){let r=e[t];if(n){if(r[0]==="enter")r[1].type==="tableContent"&&i.push(e[t+1][1].type==="tableDelimiterMarker"?"left":"none");else if(r[1].type==="tableContent"){if(e[t-1][1].type==="tableDelimiterMarker"){let s=i.length-1;i[s]=i[s]==="left"?"center":"right"}}else if(r[1].type==="tableDelimiterRow")break}else r[0]==="enter"&&r[1].type==="tableDelimiterRow"&&(n=!0);t+=1}return i}function qi(){return{flow:{null:{name:"table",tokenize:Hu,resolveAll:qu}}}}function Hu(e,t,n){let i=this,r=0,s=0,o;return a;function a(b){let H=i.events.length-1;for(;H>-1;){let{type:L}=i.events[H][1];if(L==="lineEnding"||L==="linePrefix")H--;else break}let j=H>-1?i.events[H][1].type:null,E=j==="tableHead"||j==="tableRow"?x:l;return E===x&&i.parser.lazy[i.now().line]?n(b):E(b)}function l(b){return e.enter("tableHead"),e.enter("tableRow"),c(b)}function c(b){return b===124||(o=!0,s+=1),u(b)}function u(b){return b===null?n(b):S(b)?s>1?(s=0,i.interrupt=!0,e.exit("tableRow"),e.enter("lineEnding"),e.consume(b),e.exit("lineEnding"),p):n(b):_(b)?A(e,u,"whitespace")(b):(s+=1,o&&(o=!1,r+=1),b===124?(e.enter("tableCellDivider"),e.consume(b),e.exit("tableCellDivider"),o=!0,u):(e.enter("data"),d(b)))}function d(b){return b===null||b===124||O(b)?(e.exit("data"),u(b)):(e.consume(b),b===92?m:d)}function m(b){return b===92||b===124?(e.consume(b),d):d(b)}function p(b){return i.interrupt=!1,i.parser.lazy[i.now().line]?n(b):(e.enter("tableDelimiterRow"),o=!1,_(b)?A(e,w,"linePrefix",i.parser.constructs.disable.null.includes("codeIndented")?void 0:4)(b):w(b))}function w(b){return b===45||b===58?R(b):b===124?(o=!0,e.enter("tableCellDivider"),e.consume(b),e.exit("tableCellDivider"),B):N(b)}function B(b){return _(b)?A(e,R,"whitespace")(b):R(b)}function R(b){return b===58?(s+=1,o=!0,e.enter("tableDelimiterMarker"),e.consume(b),e.exit("tableDelimiterMarker"),$):b===45?(s+=1,$(b)):b===null||S(b)?D(b):N(b)}function $(b){return b===45?(e.enter("tableDelimiterFiller"),V(b)):N(b)}function V(b){return b===45?(e.consume(b),V):b===58?(o=!0,e.exit("tableDelimiterFiller"),e.enter("tableDelimiterMarker"),e.consume(b),e.exit("tableDelimiterMarker"),T):(e.exit("tableDelimiterFiller"),T(b))}function T(b){return _(b)?A(e,D,"whitespace")(b):D(b)}function D(b){return b===124?w(b):b===null||S(b)?!o||r!==s?N(b):(e.exit("tableDelimiterRow"),e.exit("tableHead"),t(b)):N(b)}function N(b){return n(b)}function x(b){return e.enter("tableRow"),F(b)}function F(b){return b===124?(e.enter("tableCellDivider"),e.consume(b),e.exit("tableCellDivider"),F):b===null||S(b)?(e.exit("tableRow"),t(b)):_(b)?A(e,F,"whitespace")(b):(e.enter("data"),U(b))}function U(b){return b===null||b===124||O(b)?(e.exit("data"),F(b)):(e.consume(b),b===92?K:U)}function K(b){return b===92||b===124?(e.consume(b),U):U(b)}}function qu(e,t){let n=-1,i=!0,r=0,s=[0,0,0,0],o=[0,0,0,0],a=!1,l=0,c,u,d,m=new Pn;for(;++n<e.length;){let p=e[n],w=p[1];p[0]==="enter"?w.type==="tableHead"?(a=!1,l!==0&&(Qs(m,t,l,c,u),u=void 0,l=0),c={type:"table",start:Object.assign({},w.start),end:Object.assign({},w.end)},m.add(n,0,[["enter",c,t]])):w.type==="tableRow"||w.type==="tableDelimiterRow"?(i=!0,d=void 0,s=[0,0,0,0],o=[0,n+1,0,0],a&&(a=!1,u={type:"tableBody",start:Object.assign({},w.start),end:Object.assign({},w.end)},m.add(n,0,[["enter",u,t]])),r=w.type==="tableDelimiterRow"?2:u?3:1):r&&(w.type==="data"||w.type==="tableDelimiterMarker"||w.type==="tableDelimiterFiller")?(i=!1,o[2]===0&&(s[1]!==0&&(o[0]=o[1],d=Ln(m,t,s,r,void 0,d),s=[0,0,0,0]),o[2]=n)):w.type==="tableCellDivider"&&(i?i=!1:(s[1]!==0&&(o[0]=o[1],d=Ln(m,t,s,r,void 0,d)),s=o,o=[s[1],n,0,0])):w.type==="tableHead"?(a=!0,l=n):w.type==="tableRow"||w.type==="tableDelimiterRow"?(l=n,s[1]!==0?(o[0]=o[1],d=Ln(m,t,s,r,n,d)):o[1]!==0&&(d=Ln(m,t,o,r,n,d)),r=0):r&&(w.type==="data"||w.type==="tableDelimiterMarker"||w.type==="tableDelimiterFiller")&&(o[3]=n)}for(l!==0&&Qs(m,t,l,c,u),m.consume(t.events),n=-1;++n<t.events.length;){let p=t.events[n];p[0]==="enter"&&p[1].type==="table"&&(p[1]._align=Vs(t.events,n))}return e}function Ln(e,t,n,i,r,s){let o=i===1?"tableHeader":i===2?"tableDelimiter":"tableData",a="tableContent";n[0]!==0&&(s.end=Object.assign({},mt(t.events,n[0])),e.add(n[0],0,[["exit",s,t]]));let l=mt(t.events,n[1]);if(s={type:o,start:Object.assign({},l),end:Object.assign({},l)},e.add(n[1],0,[["enter",s,t]]),n[2]!==0){let c=mt(t.events,n[2]),u=mt(t.events,n[3]),d={type:a,start:Object.assign({},c),end:Object.assign({},u)};if(e.add(n[2],0,[["enter",d,t]]),i!==2){let m=t.events[n[2]],p=t.events[n[3]];if(m[1].end=Object.assign({},p[1].end),m[1].type="chunkText",m[1].contentType="text",n[3]>n[2]+1){let w=n[2]+1,B=n[3]-n[2]-1;e.add(w,B,[])}}e.add(n[3]+1,0,[["exit",d,t]])}return r!==void 0&&(s.end=Object.assign({},mt(t.events,r)),e.add(r,0,[["exit",s,t]]),s=void 0),s}function Qs(e,t,n,i,r){let s=[],o=mt(t.events,n);r&&(r.end=Object.assign({},o),s.push(["exit",r,t])),i.end=Object.assign({},o),s.push(["exit",i,t]),e.add(n+1,0,s)}function mt(e,t){let n=e[t],i=n[0]==="enter"?"start":"end";return n[1][i]}var Nu={name:"tasklistCheck",tokenize:Uu};function Ni(){return{text:{91:Nu}}}function Uu(e,t,n){let i=this;return r;function r(l){return i.previous!==null||!i._gfmTasklistFirstContentOfListItem?n(l):(e.enter("taskListCheck"),e.enter("taskListCheckMarker"),e.consume(l),e.exit("taskListCheckMarker"),s)}function s(l){return O(l)?(e.enter("taskListCheckValueUnchecked"),e.consume(l),e.exit("taskListCheckValueUnchecked"),o):l===88||l===120?(e.enter("taskListCheckValueChecked"),e.consume(l),e.exit("taskListCheckValueChecked"),o):n(l)}function o(l){return l===93?(e.enter("taskListCheckMarker"),e.consume(l),e.exit("taskListCheckMarker"),e.exit("taskListCheck"),a):n(l)}function a(l){return S(l)?t(l):_(l)?e.check({tokenize:ju},t,n)(l):n(l)}}function ju(e,t,n){return A(e,i,"whitespace");function i(r){return r===null?n(r):t(r)}}var Wu=64,Vu=1e3,Ks=2e3,Qu={marks:0},Gs=new WeakMap;function tt(e){return{...e,name:`counted-${e.name}`,tokenize(t,n,i){let r=Gs.get(this)??0;return Gs.set(this,r+1),r>=Vu?i:(Qu.marks++,e.tokenize.call(this,t,n,i))}}}function Js(e){return Object.fromEntries(Object.entries(e??{}).map(([t,n])=>[t,[n??[]].flat().map(tt)]))}for(let e of[ht,te]){let{tokenize:t}=e;e.tokenize=function(n,i,r){return this.now().column>Wu?r:t.call(this,n,i,r)}}var Ys=Hi({singleTilde:!1}),eo=[{disable:{null:["attention","autolink","codeText","definition","emailAutolink","htmlFlow","htmlText","labelEnd","labelStartImage","labelStartLink"]}},{text:{42:tt(qe),60:tt(Lt),91:tt(Dt),93:tt(Ie),95:tt(qe),96:tt(Ft)}},{...Ys,text:Js(Ys.text)},{text:Js({72:Rn(72),87:Rn(87),104:Rn(104),119:Rn(119)})},Ni()];function Rn(e){return[Oi().text?.[e]??[]].flat().filter(t=>t.name!=="emailAutolink")}var Ku={enter:{literalAutolink(e){this.enter({type:"link",title:null,url:"",children:[]},e)},literalAutolinkHttp:Zs,literalAutolinkWww:Zs},exit:{literalAutolink(e){this.exit(e)},literalAutolinkHttp(e){Xs(this,e,"")},literalAutolinkWww(e){Xs(this,e,"http://")}}};function Zs(e){this.config.enter.data.call(this,e)}function Xs(e,t,n){e.config.exit.data.call(e,t);let i=e.stack.at(-1);i?.type==="link"&&(i.url=n+e.sliceSerialize(t))}var to={extensions:eo,mdastExtensions:[Ku,Pi(),zi()]},Gu={extensions:[...eo,qi()],mdastExtensions:[...to.mdastExtensions,Ri()]};function no(e){return Mi(e,e.split("|",Ks+2).length>Ks+1?to:Gu)}var io=40;function ro(e){let t=new Ui(e);return no(e).children.map(n=>({block:t.block(n,0),from:e.lastIndexOf(`
`,(n.position?.start.offset??0)-1)+1}))}var Ui=class{constructor(t){this.source=t}source;block(t,n){if(n>io)return{kind:"paragraph",content:nt(this.#a(t))};switch(t.type){case"paragraph":return{kind:"paragraph",content:this.#i(t,n)};case"heading":return{kind:"heading",level:t.depth,content:this.#i(t,n)};case"blockquote":return{kind:"quote",blocks:t.children.map(i=>this.block(i,n+1))};case"code":return{kind:"code",text:t.value,language:t.lang??""};case"list":return this.#e(t,n);case"table":return this.#n(t,n);case"thematicBreak":return{kind:"rule"}}return{kind:"paragraph",content:nt(this.#a(t))}}#e(t,n){return{kind:"list",start:t.ordered?t.start??1:void 0,items:t.children.map(r=>this.#t(r,n+1))}}#t(t,n){let[i,...r]=t.children,s=i?.type==="paragraph"?i:void 0;return{...typeof t.checked=="boolean"&&{checked:t.checked},content:s?this.#i(s,n):[],blocks:(s?r:t.children).map(o=>this.block(o,n))}}#n(t,n){let i=t.children.map(r=>r.children.map(s=>this.#i(s,n)));return{kind:"table",align:(t.align??[]).map(r=>r??null),rows:i}}#i(t,n){let i=[];for(let r of t.children)r.type==="link"&&this.#s(r)&&Ju(i),i.push(...this.#r(r,n+1));return i}#r(t,n){if(n>io)return nt(this.#a(t));switch(t.type){case"text":return nt(t.value);case"inlineCode":return[{kind:"code",text:t.value}];case"strong":return[{kind:"strong",content:this.#i(t,n)}];case"emphasis":return[{kind:"emphasis",content:this.#i(t,n)}];case"delete":return[{kind:"deleted",content:this.#i(t,n)}];case"break":return[{kind:"break"}];case"link":return[Yu(t.url,this.#i(t,n))??{kind:"text",text:this.#a(t)}]}return nt(this.#a(t))}#s(t){let n=t.position?.start.offset??0;if(this.source[n]!=="["||this.source[n-1]!=="!")return!1;let i=0;for(;this.source[n-2-i]==="\\";)i++;return i%2===0}#a(t){return this.source.slice(t.position?.start.offset,t.position?.end.offset)}};function nt(e){return e.split(`
`).flatMap((t,n)=>[...n>0?[{kind:"break"}]:[],...t===""?[]:[{kind:"text",text:t}]])}function Ju(e){let t=e.at(-1);t?.kind!=="text"||!t.text.endsWith("!")||(e.pop(),t.text.length>1&&e.push({kind:"text",text:t.text.slice(0,-1)}))}function Yu(e,t){let n=fi(e);if(n===void 0)return;let i=so(t).trim(),r=/^(https?:|www\.)/i.test(i)?fi(i.replace(/^www/i,"https://www")):n,s=i!==""&&r!==void 0&&new URL(r).host===new URL(n).host;return{kind:"link",href:n,content:s?t:[{kind:"text",text:n}]}}function so(e){return e.map(t=>"text"in t?t.text:"content"in t?so(t.content):" ").join("")}var ji=4096,oo=4*ji,Zu=2048,ao=32,zn=class{#e="";#t=0;#n=0;#i;#r=[];#s=[];take(t,n){return t.length<this.#n&&this.#a(),this.#e=t,(n||this.#l())&&this.#p(),[...this.#r,this.#h()]}#a(){this.#t=this.#n=0,this.#i=void 0,this.#r=[],this.#s=[]}#l(){let t=this.#n-this.#t;return this.#i!==void 0||t<=Zu||this.#e.length-this.#n>t/16}#p(){let t=ji;for(;t<Math.min(this.#n-this.#t,oo);)t*=2;for(;;){if(this.#c(),this.#i||this.#x()){if(!this.#m())return;continue}let n=this.#f(t),i=ro(n),r=this.#t+n.length;if(r===this.#e.length)return this.#u(i,n);if(i.length>1)this.#d(i.slice(0,-1),this.#t+i.at(-1).from);else if(t<oo){t*=2;continue}else this.#d(i,r);t=ji}}#c(){let t=/(?:[ \t\r]*\n)*/y;t.lastIndex=this.#t,t.exec(this.#e),this.#t=Math.max(t.lastIndex,this.#t)}#f(t){let n=this.#e.slice(this.#t,this.#t+t);return this.#t+t>=this.#e.length?n:n.slice(0,n.lastIndexOf(`
`)+1||void 0)}#x(){return this.#i=os(this.#e,this.#t),this.#i!==void 0}#m(){let t=this.#i,n=t.take(this.#e);return this.#n=this.#e.length,n===void 0?!1:(this.#i=void 0,this.#d([{block:t.block(),from:0}],n),!0)}#d(t,n){for(let{block:i}of t)(this.#r.at(-1)?.length??ao)>=ao&&this.#r.push([]),this.#r.push([...this.#r.pop(),i]);this.#s=[],this.#t=this.#n=n}#u(t,n){let i=t.at(-1),r=t.length>1&&!n.includes(`
`,i.from)?2:1,s=this.#t+n.length,o=t.slice(-r);o.length>0&&this.#d(t.slice(0,-r),this.#t+o[0].from),this.#s=o.map(({block:a})=>a),this.#n=s}#h(){if(this.#i)return[this.#i.block()];let t=this.#e.slice(this.#n);return t===""?this.#s:Wi(this.#s,t)}};function Wi(e,t){let n=e.at(-1),[i,r]=[e.slice(0,-1),nt(t)];switch(n?.kind){case"paragraph":case"heading":return[...i,{...n,content:[...n.content,...r]}];case"quote":return[...i,{...n,blocks:Wi(n.blocks,t)}];case"code":return[...i,{...n,text:n.text+t}];case"list":{let s=n.items.at(-1)??{content:[],blocks:[]},o=s.blocks.length>0?{...s,blocks:Wi(s.blocks,t)}:{...s,content:[...s.content,...r]};return[...i,{...n,items:[...n.items.slice(0,-1),o]}]}}return[...e,{kind:"paragraph",content:r}]}var lo=new WeakMap;function co(e,t){let n=lo.get(e)??new zn;return lo.set(e,n),g`${n.take(e.text,!e.open).map(i=>vn([i],()=>i.map(r=>Vi(r,t))))}`}function Vi(e,t){switch(e.kind){case"paragraph":return g`<p>${e.content.map(Pe)}</p>`;case"heading":return g`<p class="heading level-${e.level}">${e.content.map(Pe)}</p>`;case"quote":return g`<blockquote>${e.blocks.map(n=>Vi(n,t))}</blockquote>`;case"code":return Xu(e.text,e.language,t);case"rule":return g`<hr />`;case"list":return e.start===void 0?g`<ul>${e.items.map(n=>uo(n,t))}</ul>`:g`<ol start=${e.start}>${e.items.map(n=>uo(n,t))}</ol>`;case"table":return ec(e.align,e.rows)}}function Xu(e,t,n){return g`<div class="code">
<div class="bar">
<span class="language">${W(t.slice(0,24))}</span>
<button type="button" class="quiet copy">
${z.copy}<span class="before">${n("copyCode")}</span><span class="after">${n("copied")}</span></button>
</div>
<pre tabindex="0" role="region" aria-label=${W(t.slice(0,24))||"code"}><code>${e}</code></pre>
</div>`}function uo({checked:e,content:t,blocks:n},i){let r=e===void 0?y:g`<span class="box" aria-hidden="true">${e?"☑":"☐"}</span><span class="hidden">${i(e?"taskDone":"taskOpen")}</span>`;return g`<li class=${e===void 0?"":"task"}>${r}${t.map(Pe)}${n.map(s=>Vi(s,i))}</li>`}function ec(e,[t=[],...n]){let i=r=>e[r]??"";return g`<div class="table" tabindex="0"><table>
<thead><tr>${t.map((r,s)=>g`<th scope="col" class=${i(s)}>${r.map(Pe)}</th>`)}</tr></thead>
<tbody>${n.map(r=>g`<tr>${r.map((s,o)=>g`<td class=${i(o)}>${s.map(Pe)}</td>`)}</tr>`)}</tbody>
</table></div>`}function Pe(e){switch(e.kind){case"text":return e.text;case"code":return g`<code>${e.text}</code>`;case"strong":return g`<strong>${e.content.map(Pe)}</strong>`;case"emphasis":return g`<em>${e.content.map(Pe)}</em>`;case"deleted":return g`<del>${e.content.map(Pe)}</del>`;case"link":return g`<a href=${e.href} title=${e.href} target="_blank" rel="noopener noreferrer nofollow">${e.content.map(Pe)}</a>`;case"break":return g`<br />`}}function Qi(e,t,n){return e.content?.length?g`<ul class="content">
${e.content.map(i=>g`<li>${i.type==="image"?tc(i,t,n):nc(i)}</li>`)}
</ul>`:y}function tc(e,t,n){let i=po(e)||t("image"),r=e.id?n(e.id):null;return r?g`<img src=${r} alt=${i} />`:g`<span class="caption">${r===null?t("imageGone",{name:i}):i}</span>`}function nc(e){let t=e.url===void 0?void 0:It(e.url),n=po(e)||W(e.uri??""),i=e.description?g` <span class="caption" dir="auto">${W(e.description)}</span>`:y;return t?g`<a href=${t} target="_blank" rel="noopener noreferrer"><bdi>${n}</bdi></a>
<span class="caption">${new URL(t).host}</span>${i}`:g`<bdi>${n}</bdi>${i}`}var po=e=>W(e.title?.trim()||e.name?.trim()||"");function Ki(e,t){let n=e.progress;if(!n||e.state!=="running"&&e.state!=="writing")return y;let i=a=>String(Math.round(a*100)/100),r=n.total?t("progressOf",{done:i(n.done),total:i(n.total)}):"",s=[r,W(n.message??"")].filter(Boolean).join(", ");if(!s)return y;let o=n.total?Math.min(1,Math.max(0,n.done/n.total)):void 0;return g`<div class="progress" aria-live="off">
<span>${n.service?g`<bdi>${W(n.service)}</bdi>: `:y}<bdi>${s}</bdi></span>
${o===void 0?y:g`<progress max="1" .value=${o} aria-label=${r}></progress>`}
</div>`}function gt(e){return ui(e).map(t=>t.kind===void 0?t.text:g`<bdi dir=${t.kind==="phrase"?"rtl":"ltr"}>${t.text}</bdi>`)}var Ji=3,ho={writing:"toolWriting",running:"toolRunning",asking:"toolAsking",others:"toolOthers",done:"toolDone",failed:"toolFailed",denied:"toolDenied"};function fo(e){let t=[],n=[],i=()=>{n.length>Ji?t.push({kind:"tools",id:n[0].id,calls:n}):t.push(...n),n=[]};for(let r of e)r.kind==="tool"?n.push(r):(r.kind!=="text"||/\S/.test(r.text))&&(i(),t.push(r));return i(),t}function mo(e){let t=e.name.indexOf("__"),[n,i]=t>0&&t+2<e.name.length?[e.name.slice(0,t),e.name.slice(t+2)]:["",e.name],r=e.title?.trim()||i,s=e.serviceTitle?.trim()||e.service||n;return{tool:r,service:r.includes(s)?"":s}}function go(e,t,n){return g`<div class="tool-row">${bo(e,t)}${Ki(e,t)}${Qi(e,t,n)}</div>`}function bo(e,t){let{tool:n,service:i}=mo(e);return g`<details class="tool ${e.state}" aria-live="off">
<summary>
${z.tool}<span class="name"><bdi>${W(n)||t("tool")}</bdi>${i?g` <bdi class="service">${W(i)}</bdi>`:y}</span>
${xo(e.state,t(ho[e.state]))}
<span class="chevron">${z.chevron}</span>
</summary>
<div class="call">
${e.name&&n!==e.name?g`<p class="caption"><code>${W(e.name)}</code></p>`:y}
${e.input===void 0?y:Gi(t("toolInput"),e.input)}
${e.output===void 0?y:Gi(t("toolOutput"),e.output)}
${e.error===void 0?y:Gi(t("toolError"),e.error)}
</div>
</details>`}function ko(e,t,n){let i=(...c)=>e.filter(u=>c.includes(u.state)).length,r=[...new Set(e.map(c=>W(mo(c).tool)))],s=i("failed","denied"),o=()=>{for(let c of["asking","others"])if(i(c)>0)return[c,t(ho[c])];return i("running","writing")>0?["running",t("toolRunning")]:s>0?["failed",t("toolsFailed",{n:s})]:["done",t("toolsDone")]},[a,l]=o();return g`<div class="tool-row"><details class="tool tools ${a}" aria-live="off">
<summary>
${z.tool}<span class="name">${t("toolCalls",{n:e.length})}
<bdi class="service">${r.slice(0,Ji).join(", ")}${r.length>Ji?"…":""}</bdi></span>
${xo(a,l)}
<span class="chevron">${z.chevron}</span>
</summary>
<div class="folded">${e.map(c=>bo(c,t))}</div>
</details>${e.map(c=>Ki(c,t))}${e.map(c=>Qi(c,t,n))}</div>`}function xo(e,t){let n=e==="writing"||e==="running",i=e==="done"?z.done:e==="failed"||e==="denied"?z.no:z.clock;return g`<span class="state">${n?g`<span class="spinner"></span>`:i}${t}</span>`}var Gi=(e,t)=>g`<p class="caption">${e}</p>
<pre tabindex="0" role="region" aria-label=${e}>${vn([t],()=>gt(jr(t)))}</pre>`;function yo(e){let{message:t,say:n}=e;return t.role==="user"?rc(t,n):g`<div class="message assistant">
<span class="hidden">${n("assistant")}:</span>
${an(fo(ic(t.parts)),(i,r)=>i.kind==="text"?`text ${r}`:`${i.kind} ${i.id}`,i=>sc(i,e))}
${e.left?e.left():lc(e)}
</div>`}function ic(e){let t=e.flatMap(i=>i.kind==="question"&&!i.question.outcome?[i.question.context]:[]),n=new Set(["done","failed","denied"]);return e.map(i=>{let r=t.filter(s=>s.toolCallId===i.id||s.parentToolCallId===i.id);return i.kind==="tool"&&r[0]&&!n.has(i.state)?{...i,state:r.every(hn)?"others":"asking"}:i})}function rc(e,t){let n=e.parts.map(i=>i.kind==="text"?i.text:"").join(`
`);return g`<div class="message user ${e.status??""}">
<span class="hidden">${t("you")}:</span>
<div class="bubble" dir="auto">${n}</div>
${e.status==="failed"?g`<span class="unsent">${t("unsent")}</span>`:y}
</div>`}function sc(e,t){let{say:n}=t;switch(e.kind){case"text":return g`<div class="text" dir="auto">${co(e,n)}</div>`;case"tool":return go(e,n,t.pictures);case"tools":return ko(e.calls,n,t.pictures);case"question":return t.question(e.question);case"notice":return oc(e.text,e.link,n);case"mark":return ac(e,t)}}function oc(e,t,n){let i=t===void 0?void 0:It(t);return g`<p class="notice" dir="auto">${z.warning}<span>${ge(e)}
${i?g` <a href=${i} target="_blank" rel="noopener noreferrer">${n("connectLink")}</a>`:y}</span></p>`}function ac({how:e,text:t,code:n},{say:i,again:r,another:s,fresh:o}){let a=e==="stopped"?i("turnStopped"):fe(t)||i("turnFailed"),l=s&&n===Wr;return g`<div class="mark ${e}" role=${o?"alert":y}>
${e==="stopped"?z.stop:z.warning}<span>${a}</span>
${r&&!l?g`<button type="button" @click=${r}>${i("retry")}</button>`:y}
${l?g`<button type="button" @click=${s}>${i("newConversation")}</button>`:y}
</div>`}function lc({message:e,say:t,whole:n,again:i,copy:r}){let s=e.parts.flatMap(a=>a.kind==="text"&&/\S/.test(a.text)?[a.text.trim()]:[]).join(`

`),o=e.parts.some(a=>a.kind==="mark");return!n||s===""&&(!i||o)?y:g`<div class="actions">
${s===""?y:g`<button type="button" class="quiet" @click=${a=>r(s,a.currentTarget)}>
${z.copy}<span class="before">${t("copyAnswer")}</span><span class="after">${t("copied")}</span></button>`}
${i&&!o?g`<button type="button" class="quiet" @click=${i}>${z.again}<span>${t("again")}</span></button>`:y}
</div>`}var Fn=class{constructor(t,n){this.host=t;this.log=n;t.addController(this)}host;log;atEnd=!0;#e=new ResizeObserver(()=>{this.follow(),this.#l(120)});#t;#n=0;#i=-1;#r;follow(){let t=this.log();t&&(this.#s(t),this.atEnd&&(t.scrollTop=t.scrollHeight))}toEnd(){this.atEnd=!0,this.follow(),this.host.requestUpdate()}reveal(t){let n=this.log();if(!n)return;let i=t.getBoundingClientRect().top-n.getBoundingClientRect().top+n.scrollTop;if(i>=n.scrollHeight-n.clientHeight)return this.toEnd();this.atEnd=!1,n.scrollTop=i-12,this.#i=n.scrollTop,this.host.requestUpdate()}sees(t){let n=this.log();if(!n||!t)return!0;let i=n.getBoundingClientRect(),{top:r,bottom:s}=t.getBoundingClientRect();return s>i.top+48&&r<i.bottom-48}hostDisconnected(){clearTimeout(this.#r),this.#e.disconnect(),this.#t?.removeEventListener("scroll",this.#a),this.#t=void 0}#s(t){this.#t!==t&&(this.hostDisconnected(),this.#t=t,t.addEventListener("scroll",this.#a,{passive:!0}),this.#e.observe(t),t.firstElementChild&&this.#e.observe(t.firstElementChild))}#a=()=>{let t=this.log();if(!t)return;let n=this.atEnd,i=t.scrollTop===this.#i;i||(this.#i=-1),i?this.atEnd=!1:t.scrollHeight-t.scrollTop-t.clientHeight<48?this.atEnd=!0:t.scrollTop<this.#n&&(this.atEnd=!1),this.#n=t.scrollTop,this.#l(n===this.atEnd?120:0)};#l(t){clearTimeout(this.#r),this.#r=setTimeout(()=>this.host.requestUpdate(),t)}};var On=class{#e;constructor(t,n){this.#e=`parley:conversation:${t}:${n??""}`}recall(){let t=wo(()=>sessionStorage.getItem(this.#e));if(typeof t=="string")return{id:t};if(Array.isArray(t)&&typeof t[0]=="string")return{id:t[0],account:typeof t[1]=="string"?t[1]:void 0};let[n]=this.#t();return n&&{id:n[1],account:n[0]}}keep({id:t,account:n},i){Yi(()=>sessionStorage.setItem(this.#e,JSON.stringify([t,n]))),i&&n!==void 0&&this.#n([[n,t],...this.#t().filter(([r])=>r!==n)])}of(t){return this.#t().find(([n])=>n===t)?.[1]}forget(t){Yi(()=>sessionStorage.removeItem(this.#e)),this.#n(this.#t().filter(([n])=>n!==t))}#t(){let t=wo(()=>localStorage.getItem(this.#e));return Array.isArray(t)?t.flatMap(n=>Array.isArray(n)&&typeof n[0]=="string"&&typeof n[1]=="string"?[[n[0],n[1]]]:[]):[]}#n(t){Yi(()=>localStorage.setItem(this.#e,JSON.stringify(t.slice(0,8))))}};function wo(e){let t=null;try{return t=e(),t===null?void 0:JSON.parse(t)}catch{return t??void 0}}function Yi(e){try{e()}catch{}}var Dn=e=>t=>t.n===1?`1 ${e}`:`${t.n} ${e}s`,vo=Dn("character"),$o=Dn("choice"),uc=e=>e<60?Dn("second")({n:e}):Dn("minute")({n:e/60}),Co={toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",visit:"Open the page",decline:"Decline",submit:"Send answer",sending:"Sending…",openedTab:"Continue in the tab that has opened. This card closes when it is done.",openAgain:"Open it again",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",deny:"Deny",expiresIn:"{time} left",secondsLeft:e=>`${uc(Number(e.n))} left to answer ${e.service}.`,answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",hintDefault:"Leave it empty to send its default, which has too many digits to be shown here.",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorDefault:"{label} cannot be left empty; its default is {n}.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:e=>`${e.label} must be at least ${vo(e)} long.`,errorMaxLength:e=>`${e.label} must be at most ${vo(e)} long.`,errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:e=>`${e.label} must have at least ${$o(e)}.`,errorMaxItems:e=>`${e.label} must have at most ${$o(e)}.`};function So(e,t={}){return typeof e=="function"?e(t):e.replace(/\{(\w+)\}/g,(n,i)=>i in t?String(t[i]):n)}var To={...Co,log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:e=>e.n===1?"A question waits for you":`${e.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolOthers:"waits for others",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",image:"Image",imageGone:"{name} cannot be shown.",progressOf:"{done} of {total}",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",waitingTitle:"Others decide about {service}",approversHave:"Allowed by {have} of the {need} who are needed.",approverAllowed:"allowed it",approverDenied:"denied it",approverAsked:"is asked",approverLate:"did not answer in time",approverLeft:"is no longer asked",othersAllowed:"Allowed: {reason}.",othersDenied:"Not allowed: {reason}.",takenBack:"You took it back{place}.",takeBack:"Take it back",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",dismiss:"Dismiss",opened:"Continue in the window that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",confirming:"Done there. Waiting for the server to confirm…",noLimits:"Take the limits back",remark:"Say why, or ask back",sayWhy:"Say why",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",edit:"Change the arguments",asked_back:"Ask back",expiresAt:"Open until {time}",announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_changed:"You allowed it with changes{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",asked_back_done:"You asked back{place}: the call was not made.",withdrawn:"No longer asked{reason}.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime."};function Hn(e){return(t,n)=>So(e?.[t]??To[t],n)}var cc=le`
:host {
color-scheme: light dark;
--_background: var(--parley-background, light-dark(#fff, #15171b));
--_surface: var(--parley-surface, light-dark(#fff, #1e2127));
--_sunken: var(--parley-sunken, light-dark(#f3f5f8, #272b33));
--_bubble: var(--parley-bubble, light-dark(#e4edf9, #24374f));
--_text: var(--parley-text, light-dark(#1a1d23, #eceef2));
--_muted: var(--parley-muted, light-dark(#4b5261, #b3bac7));
--_line: var(--parley-line, light-dark(#7f8796, #7d8594));
--_hair: var(--parley-hair, light-dark(#dde1e8, #363b45));
--_accent: var(--parley-accent, light-dark(#1d4f91, #9cc2f5));
--_accent-text: var(--parley-accent-text, light-dark(#fff, #0e1826));
--_danger: var(--parley-danger, light-dark(#a4161a, #ffa3a3));
--_success: var(--parley-success, light-dark(#17633a, #8bdcaa));
--_warning: var(--parley-warning, light-dark(#7a4a00, #f3c775));
--_radius: var(--parley-radius, 0.875rem);
--_radius-small: min(var(--_radius), 0.5rem);
--_font: var(--parley-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif);
--_mono: var(--parley-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace);
font-family: var(--_font);
font-size: var(--parley-font-size, 0.9375rem);
line-height: 1.5;
color: var(--_text);
overflow-wrap: anywhere;
}
:host([theme="light"]) {
color-scheme: light;
}
:host([theme="dark"]) {
color-scheme: dark;
}
*,
*::before,
*::after {
box-sizing: border-box;
}
p,
h2,
h3,
pre,
ul,
ol,
dl,
dd,
figure,
blockquote {
margin: 0;
}
code,
pre {
font-family: var(--_mono);
font-size: 0.9em;
}
:focus-visible {
outline: 2px solid var(--_accent);
outline-offset: 2px;
}
.hidden {
position: absolute;
inline-size: 1px;
block-size: 1px;
overflow: hidden;
clip-path: inset(50%);
white-space: nowrap;
}
svg {
display: block;
flex: none;
inline-size: 1.25em;
block-size: 1.25em;
fill: none;
stroke: currentColor;
stroke-width: 1.75;
stroke-linecap: round;
stroke-linejoin: round;
}
`,qn=[cc,le`
:host([hidden]) {
display: none;
}
a {
color: var(--_accent);
text-underline-offset: 0.15em;
}
@media (prefers-reduced-motion: reduce) {
*,
*::before,
*::after {
animation: none !important;
transition: none !important;
scroll-behavior: auto !important;
}
}
`],dc=le`
button,
.button {
display: inline-flex;
align-items: center;
justify-content: center;
gap: 0.5em;
min-block-size: 2.625rem;
padding: 0.45rem 1rem;
border: 1px solid var(--_line);
border-radius: var(--_radius-small);
background: var(--_surface);
color: var(--_text);
font: inherit;
font-weight: 600;
text-align: center;
text-decoration: none;
cursor: pointer;
}
button:hover,
.button:hover {
border-color: var(--_text);
background: var(--_sunken);
}
.primary {
border-color: var(--_accent);
background: var(--_accent);
color: var(--_accent-text);
}
.primary:hover {
border-color: var(--_accent);
background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
}
button[aria-disabled="true"] {
cursor: default;
opacity: 0.6;
}
.quiet,
.quiet:hover {
border-color: transparent;
background: none;
color: var(--_muted);
}
.quiet:hover {
background: var(--_sunken);
color: var(--_text);
}
input:not([type="checkbox"], [type="radio"]),
select,
textarea {
inline-size: 100%;
min-block-size: 2.625rem;
padding: 0.5rem 0.7rem;
border: 1px solid var(--_line);
border-radius: var(--_radius-small);
background: var(--_background);
color: inherit;
font: inherit;
}
@media (pointer: coarse) {
input:not([type="checkbox"], [type="radio"]),
select,
textarea {
font-size: max(1rem, 1em);
}
}
`,Nn=[dc,le`
button,
.button {
transition:
background-color 0.12s,
border-color 0.12s,
filter 0.12s;
}
.link,
.link:hover {
display: inline;
min-block-size: 0;
padding: 0;
border: 0;
background: none;
color: var(--_accent);
font-weight: 500;
text-decoration: underline;
text-underline-offset: 0.15em;
}
`];var pc=new URL(".",import.meta.url).href,Un=class extends ye{static styles=[qn,Nn,Yr,Or];static properties={base:{},agent:{},conversation:{},heading:{},theme:{reflect:!0},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},suggestions:{converter:{fromAttribute:hc}}};#e;#t=new ct;#n;#i=new mn(()=>({base:this.#g(),token:this.token,getToken:this.getToken}),this.#t,(t,n)=>this.#u(t,n));#r="";#s=new Set;#a="";#l;#p;#c=new Fn(this,()=>this.renderRoot.querySelector(".log"));get conversationId(){return this.#e?.id}send(t){t.trim()===""||!this.#e||(this.#e.send(t.trim()),this.#c.toEnd())}stop(){this.#e?.stop()}newConversation(){this.#m.forget(this.#n),this.#h({id:Bt("conv"),account:this.#n},!0),this.#k?.focus()}focus(t){this.#k?.focus(t)}firstUpdated(){this.autofocus&&this.focus({preventScroll:!0})}connectedCallback(){super.connectedCallback(),window.addEventListener("online",this.#f),document.addEventListener("visibilitychange",this.#f),this.requestUpdate()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("online",this.#f),document.removeEventListener("visibilitychange",this.#f),this.#e?.close(),this.#e=void 0}#f=()=>{this.#e?.lost&&!document.hidden&&this.#e.resume()};shouldUpdate(){return this.isConnected}async scheduleUpdate(){return this.#e&&this.#M()&&await fc(),super.scheduleUpdate()}willUpdate(t){!this.#e||t.has("base")||t.has("agent")||t.has("conversation")?this.#d():(t.has("token")||t.has("getToken"))&&this.#x(t),this.#v()}#x(t){let n=i=>(t.has(i)?t.get(i):this[i])!==void 0;this.#e?.identified(!n("token")&&!n("getToken"))}get#m(){return new On(this.#g(),this.agent)}#d(){let t=this.conversation?{id:this.conversation}:this.#m.recall();this.#h(t??{id:Bt("conv")},!t)}#u(t,n){if(this.conversation||!this.#e)return;let{id:i}=this.#e,r=this.#n!==void 0&&this.#n!==t;if(this.#n=t,!r)return this.#m.keep({id:i,account:t},!0);let s=n==="POST"?i:this.#m.of(t);this.#h({id:s??Bt("conv"),account:t},s===void 0)}#h({id:t,account:n},i){this.#e?.close(),this.#n=n,this.conversation||this.#m.keep({id:t,account:n},!1),this.#e=new yn(t,this.#i,this.agent,()=>this.requestUpdate()),this.#s.clear(),i||this.#e.open(),this.dispatchEvent(new CustomEvent("parley-conversation",{bubbles:!0,composed:!0,detail:{id:t}})),this.requestUpdate()}#g(){return new URL(this.base??pc,document.baseURI).href.replace(/\/+$/,"")}get#o(){return Hn(this.strings)}get#k(){return this.renderRoot.querySelector(".composer textarea")}#v(){let{questions:t,failure:n}=this.#e;this.#l&&!t.some(i=>i.elicitationId===this.#l)&&(this.#a="",this.#l=void 0);for(let i of t){let{elicitationId:r,message:s}=i;this.#s.has(r)||(this.#s.add(r),this.#l=r,this.#a=this.#o("announce",{service:dn(fn(i)||this.#o("someone")),message:ge(s)}),this.updateComplete.then(()=>this.#$(r)))}if(n&&n!==this.#p){let i={kind:n.kind,status:n.status,message:this.#z(n)};this.dispatchEvent(new CustomEvent("parley-error",{bubbles:!0,composed:!0,detail:i}))}this.#p=n}async#$(t){let n=this.#y(t);if(await n?.updateComplete,!n)return;this.#c.reveal(n),this.shadowRoot?.activeElement===this.#k&&this.#r===""&&!matchMedia("(pointer: coarse)").matches&&n.focus({preventScroll:!0})}#y(t){return[...this.renderRoot.querySelectorAll("parley-question")].find(n=>n.dataset.id===t)}#b(t){let n=t&&this.#y(t.elicitationId);if(!n)return this.#c.toEnd();this.#c.reveal(n),n.focus({preventScroll:!0})}render(){let{messages:t,loading:n}=this.#e,i=this.#o;return g`
${this.#C()}
<div class="log" part="log" role="log" tabindex="0" aria-label=${i("log")} aria-busy=${this.#M()}>
<div class="column" @click=${this.#_} @parley-answered=${this.#I} @parley-hint=${this.#w} @parley-refused=${this.#w}>
${t.length>0||n?y:this.#A()}
${an(t,r=>r.id,(r,s)=>this.#S(r,s===t.length-1))} ${this.#D()}
</div>
</div>
<div class="foot" part="foot">${this.#H()} ${this.#q()} ${this.#U()}</div>
<div class="hidden announcer" role="status">${this.#a}</div>
`}#S(t,n){let i=this.#e,r=!i.busy&&!i.loading,s=n&&i.failure?.kind==="failed",o=!i.going(t),a=o&&!i.failure,l=n&&!i.stopped&&(r?(!i.failure||s)&&i.questions.length===0:a);return yo({message:t,say:this.#o,whole:o,fresh:s,again:l?()=>this.#T():void 0,left:i.left(t)?()=>this.#P():void 0,another:n&&!this.conversation?()=>this.newConversation():void 0,copy:(c,u)=>{this.#E(c,u)},question:this.#B,pictures:c=>i.picture(c)})}#T(){this.#e?.retry(),this.#c.toEnd(),this.#k?.focus()}async#E(t,n){await rs(t)&&(ss(n),this.#l=void 0,this.#a=this.#o("copied"),this.requestUpdate())}#_=t=>{let n=t.composedPath().find(r=>r instanceof HTMLElement&&r.matches("button.copy")),i=n?.closest(".code")?.querySelector("code");n&&i&&this.#E(i.textContent??"",n)};#A(){let t=n=>g`<button type="button" dir="auto" @click=${()=>this.send(n)}>${W(n)}</button>`;return g`<div class="empty">
<slot name="empty">${this.#o("empty")}</slot>
${this.suggestions?.length?g`<div class="suggestions">${this.suggestions.map(t)}</div>`:y}
</div>`}#C(){let t=!this.conversation&&(this.heading||this.#e.messages.length>0);if(!this.heading&&!t)return y;let n=this.#o("newConversation");return g`<div class="head" part="head">
${this.heading?g`<h2 dir="auto">${this.heading}</h2>`:g`<span class="heading"></span>`}
${t?g`<button type="button" class="quiet round" title=${n} aria-label=${n} @click=${()=>this.newConversation()}>${z.plus}</button>`:y}
</div>`}#B=t=>g`<parley-question data-id=${t.elicitationId} exportparts="card" aria-live="off" lang=${this.lang||y}
.request=${t} .endpoint=${this.#g()+"/run/api/elicitation-responses"} .base=${this.#g()}
.conversation=${this.#e.id} .token=${this.token} .getToken=${this.getToken}
.strings=${this.strings} .clock=${this.#t} .theme=${this.theme}></parley-question>`;#I=t=>{let{elicitationId:n,action:i}=t.detail;this.#e.settle(n,{action:i,via:"chat"}),this.#w()};#w=()=>{let t=this.#e;!t.stopped&&(!t.busy||t.lost)&&t.resume()};#M(){let t=this.#e.messages.at(-1)?.parts.at(-1);return this.#e.busy&&t?.kind==="text"&&t.open}#D(){let{loading:t,busy:n,lost:i,stopped:r,questions:s,messages:o}=this.#e,a=this.#o;return r&&o.at(-1)?.role==="user"?this.#P():t||n&&!i&&s.length===0&&!this.#M()?g`<p class="thinking"><span class="dots"><i></i><i></i><i></i></span>${a(t?"loading":"thinking")}</p>`:y}#P(){return g`<p class="quietly">${this.#o("stopped")}
<button type="button" class="link" @click=${()=>this.#e.resume()}>${this.#o("resume")}</button></p>`}#H(){let{questions:t}=this.#e,n=t.filter(i=>!hn(i.context)&&!this.#c.sees(this.#y(i.elicitationId)));if(n.length>0){let i=this.#o("waiting",{n:n.length});return g`<button type="button" class="jump asks" @click=${()=>this.#b(n[0])}>${i}</button>`}return this.#c.atEnd||t.length>0?y:g`<button type="button" class="jump" @click=${()=>this.#b(void 0)}>${z.down}${this.#o("latest")}</button>`}#q(){let t=this.#e,n=this.#o;return t.failure&&t.failure.kind!=="failed"?g`<div class="banner failure" role="alert">${z.warning}<span>${this.#z(t.failure)}</span>
<button type="button" @click=${()=>t.failure?.again()}>${n("retry")}</button></div>`:t.lost?g`<div class="banner" role="status">${z.warning}<span>${this.#N(t)}</span>
<button type="button" @click=${()=>t.resume()}>${n("tryNow")}</button></div>`:y}#N({trouble:t,loading:n}){return t?this.#o("troubled",{said:fe(t)}):n&&this.#L()?this.#R():this.#o("lost")}#L(){return new URL(this.#g()||"/",location.href).origin!==location.origin}#R(){return this.#L()?this.#o("unreachableFrom",{origin:location.origin}):this.#o("unreachable")}#z({kind:t,status:n,said:i}){return t==="unreachable"?this.#R():n===401?i&&(this.token||this.getToken)?fe(i):this.#o("signedOut"):i?fe(i):n===403?this.#o("forbidden"):this.#o(n===429?"tooMany":"failed")}#F(){let{busy:t,questions:n}=this.#e;return this.#r.trim()!==""&&(!t||n.length>0)}#U(){let t=this.#o,n=i=>{this.#r=i.target.value,this.requestUpdate()};return g`<form class="composer" part="composer" @submit=${this.#O}>
<textarea rows=${Math.min(8,this.#r.split(`
`).length)} dir="auto" aria-label=${t("placeholder")} placeholder=${t("placeholder")} enterkeyhint="send"
.value=${Fe(this.#r)} @input=${n} @keydown=${this.#j}></textarea>
${this.#e.busy?g`<button type="button" class="round" title=${t("stop")} aria-label=${t("stop")}
@click=${()=>this.stop()}>${z.stop}</button>`:y}
<button class="round primary" title=${t("send")} aria-label=${t("send")} aria-disabled=${!this.#F()}>${z.send}</button>
</form>`}#j=t=>{t.key==="Enter"&&!t.shiftKey&&!t.isComposing&&this.#O(t)};#O=t=>{if(t.preventDefault(),!this.#F())return;let n=this.#r;this.#r="",this.send(n)};updated(){this.#c.follow()}};function hc(e){let t=_e(e??"");return Array.isArray(t)?t.filter(n=>typeof n=="string"&&n.trim()!==""):[]}function fc(){return Promise.race([new Promise(e=>requestAnimationFrame(e)),new Promise(e=>setTimeout(e,100))])}function Eo({title:e,direction:t},n,i,r){return g`<div class="card open" part="card" role="group" aria-labelledby="title">
<header>
<span class="badge">${n}</span>
<div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${t}>${e}</div>
${i}
</header>
<div class="body">${r}</div>
</div>`}function _o({title:e,direction:t},{tone:n,sentence:i}){let r={good:Je.done,bad:Je.no,neutral:Je.clock}[n];return g`<div class="card settled" part="card" role="group" aria-labelledby="title">
<header>
<span class="badge ${n}">${r}</span>
<div class="title">
<span class="isolate" id="title" dir=${t}>${e}</span>
<span class="sentence" id="outcome" tabindex="-1">${i}</span>
</div>
</header>
</div>`}var Le=e=>e===void 0?y:g`<p class="problem">${Je.warning}<span>${e}</span></p>`;function Ao(e,t,n,i=[]){let r=pn(t??""),s=r.split(`
`).length,o=e===void 0?i:[...i,[n("toolLabel"),e]];return g`<dl>
${o.map(([a,l])=>g`<div>
<dt>${a}</dt>
<dd><code><bdi>${W(l)}</bdi></code></dd>
</div>`)}
${t===void 0?y:g`<div>
<dt id="arguments">${s>8?n("argumentLines",{n:s}):n("arguments")}</dt>
<dd>
${r===""?n("noArguments"):g`<pre class="arguments" role="region" aria-labelledby="arguments">${gt(r)}</pre>`}
</dd>
</div>`}
</dl>`}function Wn(e,t=[]){let n=q(e);if(!n)return;let i=new Set(ue(n.required)),r=[],s=a=>t.includes(a)?t.indexOf(a):t.length,o=Object.entries(q(n.properties)??{}).sort(([a],[l])=>s(a)-s(l));for(let[a,l]of o){let c=q(l),u=c&&mc(c);if(!c||!u)return;r.push(gc(a,u,c,i.has(a)))}return r}function mc(e){switch(e.type){case"string":case"number":case"integer":return jn(e).length>0?"choice":e.type;case"boolean":return"boolean";case"array":return jn(q(e.items)??{}).length>0?"choices":void 0}}function gc(e,t,n,i){return{name:e,kind:t,required:i,nullable:n.nullable===!0,label:ge(C(n.title)||e),description:ge(C(n.description)??"")||void 0,format:bc(n.format),minLength:qt(n.minLength),maxLength:qt(n.maxLength),minimum:Bo(n.minimum),maximum:Bo(n.maximum),options:jn(t==="choices"?q(n.items)??{}:n),minItems:qt(n.minItems),maxItems:qt(n.maxItems),default:n.default}}function bc(e){return e==="email"||e==="uri"||e==="date"||e==="date-time"?e:void 0}function qt(e){return typeof e=="number"?e:void 0}function Bo(e){let t=qt(e);return t!==void 0&&Math.abs(t)===Number.MAX_SAFE_INTEGER?void 0:t}function Io(e){return typeof e=="number"?String(e):C(e)}function jn(e){let t=ue(e.oneOf??e.anyOf);if(t.length>0)return t.flatMap(i=>{let r=Io(q(i)?.const);return r===void 0?[]:[{value:r,label:ge(C(q(i)?.title)||r)}]});let n=ue(e.enumNames);return ue(e.enum).flatMap((i,r)=>{let s=Io(i);return s===void 0?[]:[{value:s,label:ge(C(n[r])||s)}]})}var be=({name:e})=>e.startsWith("args.");function Nt(e){return e.kind==="boolean"&&(e.required||e.nullable)&&e.default===void 0}function Mo(e){return Object.fromEntries(e.map(t=>[t.name,Po(t)]))}function Po(e){let t=e.default;switch(e.kind){case"boolean":return typeof t=="boolean"?t:Nt(e)?void 0:!1;case"choices":return Array.isArray(t)?e.options.map(n=>n.value).filter(n=>t.includes(n)):[];case"choice":return e.options.find(n=>n.value===String(t))?.value;case"number":case"integer":return typeof t=="number"&&Xi(String(t))?String(t):""}return typeof t!="string"?"":e.format==="date-time"?Ec(t):t}var Lo=e=>!Xi(String(e.default));function Zi(e,t,n){let i={content:Object.create(null),errors:Object.create(null)};for(let r of e){let{value:s,error:o}=xc(r,t[r.name],n);o!==void 0?i.errors[r.name]=o:s!==void 0&&(i.content[r.name]=s)}return i}function kc(e){let t=e.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(t)?`“${t}”`:t}function xc(e,t,n){let i=(u,d=0)=>({error:n(u,{label:kc(e.label),n:d})}),r=Po(e);if(e.default!=null&&JSON.stringify(t)===JSON.stringify(r))return typeof e.default=="number"&&!be(e)?{}:{value:e.default};let s=i("errorRequired"),o=()=>i("errorDefault",e.options.find(u=>u.value===r)?.label??r),a=e.nullable?{value:null}:e.required?s:o();switch(e.kind){case"boolean":return t===void 0?e.required?s:{}:{value:t};case"choices":return yc(e,t??[],i);case"choice":return t!==void 0?{value:t}:e.default!==void 0?a:e.required?s:{}}let l=typeof t=="string"?t:"",c=e.kind==="string"&&e.format===void 0;return(c&&!e.required?l==="":l.trim()==="")?e.required?s:e.default===void 0?{}:c&&!e.nullable?{value:""}:a:e.kind==="string"?wc(e,c?l:l.trim(),i):Cc(e,l.trim(),i)}function yc(e,t,n){let{minItems:i,maxItems:r}=e;return t.length===0&&!e.required&&e.default===void 0?{}:i!==void 0&&t.length<i?n("errorMinItems",i):r!==void 0&&t.length>r?n("errorMaxItems",r):{value:t}}function wc(e,t,n){let{minLength:i,maxLength:r}=e,s=[...t].length;if(i!==void 0&&s<i)return n("errorMinLength",i);if(r!==void 0&&s>r)return n("errorMaxLength",r);switch(e.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(t)?{value:t}:n("errorEmail");case"uri":return vc(t)?{value:t}:n("errorUri");case"date":return $c(t)?{value:t}:n("errorDate");case"date-time":{let o=Tc(t);return o?{value:o}:n("errorDateTime")}}return{value:t}}function vc(e){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(e)&&URL.canParse(e)}function $c(e){let t=new Date(`${e}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(e)&&!Number.isNaN(t.valueOf())&&t.toISOString().startsWith(e)}function Cc(e,t,n){let{minimum:i,maximum:r}=e,s=Sc(t),o=e.kind==="integer";return s===void 0||o&&!Number.isInteger(s)?n(o?"errorInteger":"errorNumber"):Xi(t)?i!==void 0&&s<i?n("errorMinimum",i):r!==void 0&&s>r?n("errorMaximum",r):{value:s}:n("errorDigits")}function Sc(e){let t=e.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(t))return;let n=Number(t);return Number.isFinite(n)?n:void 0}function Xi(e){return e.replace(/e.*|\D/gi,"").replace(/^0+|0+$/g,"").length<=15||Number.isSafeInteger(Number(e))&&/^[-+]?\d+$/.test(e)}function Tc(e){let t=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(e),n=new Date(e);if(!(!t||Number.isNaN(n.valueOf())))return`${t[1]}${t[2]??":00"}${er(n)||"Z"}`}function Ec(e){let t=new Date(e);return Number.isNaN(t.valueOf())?"":new Date(t.valueOf()-t.getTimezoneOffset()*6e4).toISOString().slice(0,t.getUTCSeconds()||t.getUTCMilliseconds()?19:16)}function er(e){let t=-e.getTimezoneOffset();if(t===0)return"";let n=i=>String(Math.floor(i)).padStart(2,"0");return`${t<0?"-":"+"}${n(Math.abs(t)/60)}:${n(Math.abs(t)%60)}`}var zo=7;function Fo(e){let{field:t}=e;return t.kind==="boolean"&&!Nt(t)?Lc(e):t.kind==="boolean"?Ro(e,[{value:"true",label:e.say("yes")},{value:"false",label:e.say("no")}]):t.kind==="choices"?Pc(e):t.kind==="choice"&&t.options.length<=zo?Ro(e,t.options):g`<div class=${nr(e)}>
<label for=${e.id} dir="auto">${t.label}${Do(e)}</label>
${ir(e)} ${t.kind==="choice"?Mc(e):Ac(e)}
</div>`}function Oo(e){let{id:t,field:n}=e;return n.kind==="choices"||Nt(n)||n.kind==="choice"&&n.options.length<=zo?`${t}-0`:t}var nr=e=>e.error===void 0?"field":"field wrong",Do=e=>Ut(e.field)?g` <span class="required">${e.say("required")}</span>`:y;function Ut(e){return e.required&&(e.kind!=="choices"||(e.minItems??0)>0)}function ir(e){let{id:t,field:n,error:i,say:r}=e,s=Ho(n,r);return g`
${n.description?g`<p class="hint" id="${t}-about" dir="auto">${n.description}</p>`:y}
${s?g`<p class="hint" id="${t}-hint">${s}</p>`:y}
${i===void 0?y:g`<p class="error" id="${t}-error"><span class="hidden">${r("error")} </span>${i}</p>`}
`}function jt(e){let t=[];return e.field.description&&t.push(`${e.id}-about`),Ho(e.field,e.say)&&t.push(`${e.id}-hint`),e.error!==void 0&&t.push(`${e.id}-error`),t.length>0?t.join(" "):y}function Ho(e,t){switch(e.kind){case"number":case"integer":return Lo(e)?t("hintDefault"):tr(e.minimum,e.maximum,t);case"choices":{let n=tr(e.minItems||void 0,e.maxItems,t);return n&&t("hintChoices",{range:_c(n)})}case"string":{if(e.format==="date-time")return t("localTime",{offset:er(new Date)});let n=tr(e.minLength!==void 0&&e.minLength>1?e.minLength:void 0,e.maxLength,t);return n&&t("hintLength",{range:n})}}return""}function tr(e,t,n){return e!==void 0&&e===t?n("exactly",{low:e}):e!==void 0&&t!==void 0?n("from",{low:e,high:t}):e!==void 0?n("atLeast",{low:e}):t===void 0?"":n("atMost",{high:t})}var _c=e=>e.charAt(0).toLowerCase()+e.slice(1);function Ac(e){let{id:t,field:n,entry:i,enter:r}=e,s=typeof i=="string"?i:"",o=c=>r(c.target.value);if(n.kind==="string"&&n.format===void 0&&Ic(n))return g`<textarea id=${t} rows="4" dir="auto" .value=${Fe(s)} @input=${o}
aria-describedby=${jt(e)} aria-required=${Ut(n)} aria-invalid=${e.error!==void 0}></textarea>`;let{type:a,mode:l}=Bc(n);return g`<input id=${t} type=${a} inputmode=${l??y} autocomplete="off" dir="auto"
spellcheck=${l?"false":y} autocapitalize=${l?"off":y} step=${a==="datetime-local"?"any":y}
.value=${Fe(s)} @input=${o}
aria-describedby=${jt(e)} aria-required=${Ut(n)} aria-invalid=${e.error!==void 0} />`}function Bc({kind:e,format:t,minimum:n}){return e!=="string"?{type:"text",mode:(n??-1)<0?"text":e==="integer"?"numeric":"decimal"}:{type:t==="date"?t:t==="date-time"?"datetime-local":"text",mode:t==="email"?t:t==="uri"?"url":void 0}}function Ic(e){let t=typeof e.default=="string"?e.default:"";return(e.maxLength??0)>200||(e.minLength??0)>100||t.length>200||t.includes(`
`)}function Mc(e){let{id:t,field:n,entry:i,say:r,enter:s}=e;return g`<select id=${t} @change=${a=>{let l=a.target.selectedIndex-1;s(n.options[l]?.value)}} aria-describedby=${jt(e)}
aria-required=${Ut(n)} aria-invalid=${e.error!==void 0}>
<option value="" .selected=${i===void 0}>${r("choose")}</option>
${n.options.map(a=>g`<option .selected=${a.value===i}>${rr(a,r)}</option>`)}
</select>`}var rr=(e,t)=>e.label.trim()===""?t("emptyOption"):e.label;function Ro(e,t){let{id:n,field:i,entry:r,say:s,enter:o}=e,a=u=>i.kind==="boolean"?u==="true":u,l=!i.required&&i.default===void 0&&!e.sure,c=(u,d,m)=>qo(g`<input type="radio" id=${u} name=${n} .checked=${Fe(r===d)} @change=${()=>o(d)} />`,m);return No(e,!0,[t.map((u,d)=>c(`${n}-${d}`,a(u.value),rr(u,s))),l?c(y,void 0,s("noAnswer")):y])}function Pc(e){let{id:t,field:n,say:i,enter:r}=e,s=l=>Array.isArray(e.entry)&&e.entry.includes(l),o=(l,c)=>r(n.options.map(u=>u.value).filter(u=>u===l?c:s(u))),a=(l,c)=>qo(g`<input type="checkbox" id="${t}-${c}" .checked=${Fe(s(l.value))} aria-invalid=${e.error!==void 0}
@change=${u=>o(l.value,u.target.checked)} />`,rr(l,i));return No(e,!1,n.options.map(a))}var qo=(e,t)=>g`<label class="option">${e} <span dir="auto">${t}</span></label>`;function No(e,t,n){let{id:i,field:r}=e;return g`<div class=${nr(e)} role=${t?"radiogroup":"group"} aria-labelledby="${i}-label" aria-describedby=${jt(e)}
aria-required=${t?Ut(r):y} aria-invalid=${t?e.error!==void 0:y}>
<div class="legend" id="${i}-label" dir="auto">${r.label}${Do(e)}</div>
${ir(e)} ${n}
</div>`}function Lc(e){let{id:t,field:n,entry:i,enter:r}=e;return g`<div class=${nr(e)}>
<label class="option">
<input type="checkbox" id=${t} .checked=${Fe(i===!0)} aria-describedby=${jt(e)} aria-invalid=${e.error!==void 0}
@change=${s=>r(s.target.checked)} />
<span class="strong" dir="auto">${n.label}</span>
</label>
${ir(e)}
</div>`}function Wo(e,t){let{question:n,service:i,say:r}=e;return Eo(Qo(e),Rc(e),t,g`${n.message.trim()===""?y:g`<div class="message">
${Wt(n)?y:g`<span class="from isolate" dir=${ai(r("says",{service:""}))}>${r("says",{service:i})}</span>`}
${Fc(n)}
</div>`}
${Oc(e)}
${n.context.account?g`<p class="account">${r("account")} <bdi>${W(n.context.account)}</bdi></p>`:y}`)}function Rc({kind:e,question:t}){return t.context.trigger==="tool_approval"?z.approval:e==="waiting"?z.clock:e==="unsupported"?z.form:z[e]}var Wt=({context:e})=>(e.trigger==="tool_approval"||e.trigger==="approvers")&&e.server!==void 0,Vo=e=>e.context.trigger==="tool_approval"||Wt(e),zc=e=>Vo(e)?gt(fe(Ur(e.message))):ge(e.message);function Fc(e){let t=zc(e);return Vo(e)?Wt(e)?g`<div class="words exact whole" dir="ltr" role="region" aria-labelledby="title">${t}</div>`:g`<div class="words exact" dir="ltr">${t}</div>`:g`<div class="words" dir="auto">${t}</div>`}var Qo=e=>({title:Uo(e),direction:ai(Uo({...e,service:""}))});function Uo(e){let{kind:t,question:n,service:i,say:r}=e,{trigger:s}=n.context;return s==="tool_approval"?r("approvalTitle",{service:i}):s==="approvers"?r("waitingTitle",{service:i}):t==="connect"?r(s==="credential_required"?"connectTitle":"visitTitle",{service:i}):r("formTitle",{service:i})}function Ko(e,t){return _o(Qo(e),t)}function Oc(e){switch(e.kind){case"connect":return Dc(e);case"approval":return g`${Wt(e.question)?y:jo(e)} ${Nc(e)}`;case"waiting":return g`${qc(e)} ${Le(e.problem)}
<div class="buttons">${Vt(e,"takeBack")}</div>`;case"form":return g`${e.question.context.trigger==="tool_approval"&&!Wt(e.question)?jo(e):y} ${Kc(e)}`;case"unsupported":return g`<p>${e.say("unsupported")} <a href=${e.hosted} target="_blank" rel="noopener">${e.say("hosted")}</a></p>
${Le(e.problem)}
<div class="buttons">${Vt(e,"decline")}</div>`}}function Dc(e){let{address:t,say:n}=e;if(!t)return g`${Le(n("unsafe"))} ${Le(e.problem)}
<div class="buttons">${Vt(e,"dismiss")}</div>`;let i=n(e.question.context.trigger==="credential_required"?"connect":"visit");return g`
<dl>
<div>
<dt>${n("address")}</dt>
<dd><code class="address">${t.before}<strong>${t.trust}</strong>${t.after}</code></dd>
</div>
</dl>
${t.insecure?g`<p class="warn">${z.warning}<span>${n("insecure")}</span></p>`:y} ${Hc(e,t)} ${Le(e.problem)}
<div class="buttons">
${t.foreign?g`<a class="button primary" id="go" href=${t.href} target="_blank" rel="noopener noreferrer"
@click=${e.open}>${i}</a>`:g`<button type="button" class="primary" id="go" @click=${e.open}>
${e.phase==="opened"?n("openAgain"):i}
</button>`}
${Vt(e,"dismiss")}
</div>
`}function Hc(e,t){let{say:n,phase:i}=e,r=g`<a href=${t.href}>${n("sameWindow")}</a>`;switch(i){case"opened":return g`<p class="status">
${z.clock}<span>${n(t.foreign?"openedTab":"opened")} ${t.foreign?y:r}</span>
</p>`;case"blocked":return Le(g`${n("blocked")} ${r}`);case"confirming":return g`<p class="status">${z.clock}<span>${n("confirming")}</span></p>`}return y}var jo=({question:e,say:t})=>Ao(e.context.tool,e.context.arguments??"",t);function qc({question:e,say:t}){let n=e.approvers;if(!n)return y;let i=n.people.filter(r=>r.decision&&r.decision!=="deny").length;return g`<div class="panel">
<p id="panel" aria-live="polite">${t("approversHave",{have:i,need:n.need})}</p>
<ul aria-labelledby="panel">
${n.people.map(r=>{let s=r.decision==="deny"?"bad":r.decision?"good":"neutral",o={good:z.done,bad:z.no,neutral:z.clock}[s],a=s==="good"?"approverAllowed":s==="bad"?"approverDenied":r.withdrawn?"approverLeft":r.late?"approverLate":"approverAsked";return g`<li class=${s}>${o}<bdi>${W(r.name)}</bdi><span>${t(a)}</span></li>`})}
</ul>
</div>`}function Nc(e){let t=e.fields[0].options,n=t.find(r=>r.value==="asked_back"),i=t.find(r=>r.value==="changed");return g`${Le(e.problem)}<div class="buttons">${t.filter(r=>r!==n&&r!==i).map(r=>sr(e,r))}</div>
${Uc(e,i)}${Wc(e)}${jc(e,n)}`}function sr({say:e,phase:t,decide:n},{value:i,label:r}){return g`<button type="button" class=${i==="allow_once"?"primary":""} data-decision=${i}
aria-disabled=${t==="sending"} @click=${()=>n(i)}>
${r===i&&Qc(i)?e(i):W(r)}
</button>`}var Vn=(e,t,n=!1)=>Fo({id:`field-${e.fields.indexOf(t)}`,field:t,entry:e.entries[t.name],error:e.errors[t.name],say:e.say,sure:n,enter:i=>e.enter(t.name,i)}),or=(e,t)=>g`<details class="narrow"><summary>${e}</summary><div class="form">${t}</div></details>`;function Uc(e,t){return t?or(e.say("edit"),g`${e.fields.filter(be).map(n=>Vn(e,n))}
<div class="buttons">${sr(e,t)}</div>`):y}function jc(e,t){let n=e.fields.filter(i=>i.kind==="string"&&!be(i));return n.length===0&&!t?y:or(e.say(t?"remark":"sayWhy"),g`${n.map(i=>Vn(e,i))} ${t?g`<div class="buttons">${sr(e,t)}</div>`:y}`)}function Wc(e){let{fields:t,entries:n,say:i}=e,r=t.slice(1).filter(s=>s.kind==="choice"&&!be(s));return r.length===0?y:or(i("narrow"),g`${r.map(s=>Vn(e,s,!0))}
${r.some(s=>n[s.name]!==void 0)?g`<div class="buttons"><button type="button" @click=${()=>r.forEach(s=>e.enter(s.name,void 0))}>${i("noLimits")}</button></div>`:y}`)}var Vc=["allow_once","always_allow","deny","asked_back"],Qc=e=>Vc.includes(e);function Kc(e){let{fields:t,say:n}=e;return g`<form class="form" novalidate @submit=${e.submit}>
${t.map(i=>Vn(e,i))}
${Le(e.problem)}
<div class="buttons">
<button class="primary" aria-disabled=${e.phase==="sending"}>${n(e.phase==="sending"?"sending":"submit")}</button>
${Vt(e,"decline")}
</div>
</form>`}function Vt(e,t){return g`<button type="button" class="quiet" id="decline" aria-disabled=${e.phase==="sending"} @click=${e.decline}>
${e.say(t)}
</button>`}var Qn=class{constructor(t,n,i){this.host=t;this.say=n;this.over=i;t.addController(this)}host;say;over;left;#e=Number.NaN;#t;#n;#i=!1;start(t,n){this.#e=Date.parse(t??""),this.#t=n;let i=this.#e-n.now();this.left=i>0?i:void 0,this.#r()}stop(){this.left=void 0,this.#r()}hostConnected(){this.#i=!0,this.#r()}hostDisconnected(){this.#i=!1,this.#r()}#r(){clearInterval(this.#n),this.#i&&this.left!==void 0&&(this.#n=setInterval(()=>this.#s(),1e3))}#s(){let t=this.left??0;this.left=Math.max(0,this.#e-this.#t.now());let n=Xr(t,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function Jo(e,t,n,i){let r=Yc(t,n,i),s=e.context.trigger==="credential_required";if(e.context.trigger==="approvers")return Gc(t,r,i);switch(t.action){case"accept":return n.answered&&n.decision!==void 0?Go(n.decision,n.chosen,"",i):t.decision!==void 0?Go(t.decision,Jc(e,t),r,i):s?{tone:"good",sentence:i("connected",{place:r})}:{tone:"good",sentence:i(e.mode==="url"?"visited":"answered",{place:r})};case"decline":return{tone:"bad",sentence:i(s?"notConnected":"declined",{place:r})};case"expire":return{tone:"neutral",sentence:i("expired")}}return t.by?{tone:"neutral",sentence:i("cancelled",{place:r})}:Yo(t,i)}function Yo({reason:e=""},t){return{tone:"neutral",sentence:t(e==="superseded"?e:"withdrawn",{reason:W(/: .*/s.exec(e)?.[0]??"")})}}function Gc(e,t,n){if(e.action==="expire")return{tone:"neutral",sentence:n("expired")};if(e.by)return{tone:"neutral",sentence:n("takenBack",{place:t})};let i=W(e.reason??"");return e.action==="accept"?{tone:"good",sentence:n("othersAllowed",{reason:i})}:e.action==="decline"?{tone:"bad",sentence:n("othersDenied",{reason:i})}:Yo(e,n)}function Jc(e,{decision:t,limits:n}){return ar(Wn(e.requestedSchema)??[],{...n,decision:t})}function ar(e,t){return e.flatMap(({name:i,options:r})=>r.find(s=>s.value===t[i]&&s.label!==s.value)?.label??[]).map(W).join(" · ")}function Go(e,t,n,i){switch(e){case"allow_once":return{tone:"good",sentence:i("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:t?i("allowed_as",{chosen:t,place:n}):i("allowed_always",{place:n})};case"changed":return{tone:"good",sentence:i("allowed_changed",{place:n})};case"asked_back":return{tone:"neutral",sentence:i("asked_back_done",{place:n})};case"deny":return{tone:"bad",sentence:i("denied",{place:n})}}return{tone:"good",sentence:i("answered",{place:n})}}function Yc(e,t,n){if(t.answered)return"";switch(e.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return t.watched?n("elsewhere"):""}return n("elsewhere")}function Zo(e){let t=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),i=Math.round(window.screenX+(window.outerWidth-t)/2),r=Math.round(window.screenY+(window.outerHeight-n)/2),s=window.open(e,"parley-connect",`popup,width=${t},height=${n},left=${i},top=${r}`);return!s||s.closed?!1:(s.focus(),!0)}var Xo=le`
:host {
display: block;
container-type: inline-size;
}
.card {
border: 1px solid var(--_hair);
border-radius: var(--_radius);
background: var(--_surface);
overflow: clip;
}
.card.open {
border-color: color-mix(in srgb, var(--_accent) 45%, var(--_hair));
}
header {
display: flex;
align-items: center;
gap: 0.7rem;
padding: 0.85rem 1.1rem 0;
}
.badge {
display: grid;
place-items: center;
flex: none;
inline-size: 2.25rem;
block-size: 2.25rem;
border-radius: min(var(--_radius), 0.65rem);
background: var(--_bubble);
color: var(--_accent);
}
.title {
flex: 1;
min-inline-size: 0;
font-size: 1.05em;
font-weight: 650;
line-height: 1.3;
text-wrap: pretty;
}
bdi,
.isolate {
unicode-bidi: isolate;
}
.timer {
display: inline-flex;
align-items: center;
gap: 0.3em;
flex: none;
padding: 0.15rem 0.55rem;
border-radius: 99px;
background: var(--_sunken);
color: var(--_muted);
font-size: 0.8125rem;
font-variant-numeric: tabular-nums;
white-space: nowrap;
}
.timer svg {
inline-size: 1em;
block-size: 1em;
}
.timer.soon {
background: color-mix(in srgb, var(--_warning) 14%, var(--_surface));
color: var(--_warning);
font-weight: 600;
}
.body {
display: grid;
gap: 1rem;
padding: 0.85rem 1.1rem 1.1rem;
}
.message {
padding: 0.7rem 0.9rem;
border-radius: var(--_radius-small);
background: var(--_sunken);
}
.words {
white-space: pre-wrap;
unicode-bidi: plaintext;
}
.words.exact {
unicode-bidi: isolate;
}
dl {
display: grid;
gap: 0.7rem;
}
dt,
.caption {
margin-block-end: 0.2rem;
color: var(--_muted);
font-size: 0.8125rem;
}
.arguments,
.words.whole {
padding: 0.6rem 0.8rem;
border: 1px solid var(--_hair);
border-radius: var(--_radius-small);
background: var(--_sunken);
direction: ltr;
text-align: left;
white-space: pre-wrap;
tab-size: 2;
line-height: 1.35;
}
.form {
display: grid;
gap: 1.1rem;
}
.field {
min-inline-size: 0;
}
.wrong {
padding-inline-start: 0.8rem;
border-inline-start: 3px solid var(--_danger);
}
.field > label:not(.option),
.legend,
.strong {
font-weight: 600;
}
.field > label:not(.option) {
display: block;
margin-block-end: 0.25rem;
}
.legend {
margin-block-end: 0.15rem;
}
.required {
color: var(--_muted);
font-size: 0.8125rem;
font-weight: 400;
}
.hint {
margin-block-end: 0.3rem;
color: var(--_muted);
font-size: 0.8125rem;
}
.error {
margin-block-end: 0.3rem;
color: var(--_danger);
font-size: 0.875rem;
font-weight: 600;
}
:is(input, select, textarea)[aria-invalid="true"]:not([type="checkbox"]) {
border-color: var(--_danger) !important;
}
textarea {
resize: vertical;
field-sizing: content;
min-block-size: 5.5rem;
max-block-size: 24rem;
}
.option {
display: flex;
align-items: flex-start;
gap: 0.65rem;
padding: 0.35rem 0;
cursor: pointer;
}
.option input {
flex: none;
inline-size: 1.25rem;
block-size: 1.25rem;
margin: 0.1rem 0 0;
accent-color: var(--_accent);
}
.buttons {
display: flex;
flex-wrap: wrap;
gap: 0.6rem;
}
.status,
.problem,
.warn {
display: flex;
align-items: flex-start;
gap: 0.5rem;
font-size: 0.9rem;
}
.status svg,
.problem svg,
.warn svg {
margin-block-start: 0.1em;
}
.status {
color: var(--_muted);
}
.problem {
padding: 0.6rem 0.8rem;
border-radius: var(--_radius-small);
background: color-mix(in srgb, var(--_danger) 9%, var(--_surface));
color: var(--_danger);
font-weight: 600;
}
.warn {
color: var(--_warning);
}
.settled header {
padding-block-end: 0.85rem;
}
.settled .badge {
background: var(--_sunken);
color: var(--_muted);
}
.settled .badge.good {
background: color-mix(in srgb, var(--_success) 14%, var(--_surface));
color: var(--_success);
}
.settled .badge.bad {
background: color-mix(in srgb, var(--_danger) 11%, var(--_surface));
color: var(--_danger);
}
.settled .title {
color: var(--_muted);
font-size: 0.9em;
font-weight: 500;
}
.settled .sentence {
display: block;
color: var(--_text);
font-size: 1rem;
font-weight: 600;
}
.settled .sentence:focus {
outline: none;
}
.settled:has(.sentence:focus-visible) {
outline: 2px solid var(--_accent);
}
@container (max-width: 26rem) {
header {
padding: 0.8rem 0.9rem 0;
}
.body {
padding: 0.8rem 0.9rem 0.9rem;
}
.buttons > * {
flex: 1 1 100%;
}
header:has(.timer) {
flex-wrap: wrap;
}
header:has(.timer) .title {
flex-basis: 60%;
}
}
@media (forced-colors: active) {
.card,
.message,
.badge {
border: 1px solid CanvasText;
}
}
`;var ea=[Xo,le`
.card {
box-shadow: 0 1px 2px light-dark(rgb(20 30 50 / 6%), transparent), 0 6px 20px light-dark(rgb(20 30 50 / 7%), transparent);
}
.card.open {
animation: arrive 0.22s ease-out;
}
@keyframes arrive {
from {
opacity: 0;
transform: translateY(6px);
}
}
.message:has(.whole) {
padding: 0;
background: none;
}
.from {
display: block;
margin-block-end: 0.1rem;
color: var(--_muted);
font-size: 0.8125rem;
}
.address {
display: block;
color: var(--_muted);
direction: ltr;
text-align: start;
word-break: break-all;
}
.address strong {
color: var(--_text);
font-size: 1.08em;
font-weight: 700;
}
.account {
color: var(--_muted);
font-size: 0.8125rem;
}
.account bdi {
color: var(--_text);
font-weight: 600;
}
.panel ul {
display: grid;
gap: 0.35rem;
list-style: none;
margin: 0.4rem 0 0;
padding: 0;
}
.panel p {
margin: 0;
}
.panel li {
align-items: center;
display: flex;
flex-wrap: wrap;
gap: 0.4rem;
}
.panel li svg {
flex: none;
height: 1rem;
width: 1rem;
}
.panel li bdi {
font-weight: 600;
overflow-wrap: anywhere;
}
.panel li.good svg {
color: var(--_success);
}
.panel li.bad svg {
color: var(--_danger);
}
`];var Zc=6e4,Kn=class extends ye{static styles=[qn,Nn,ea];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#t;#n={};#i=Object.create(null);#r;#s="ready";#a;#l={answered:!1,watched:!1};#p="";#c;#f=new Qn(this,t=>this.#p=this.#u("secondsLeft",{n:t,service:this.#h()}),()=>this.#d({action:"expire"}));constructor(){super(),this.clock=new ct}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#a}focus(t){this.renderRoot.querySelector("#outcome, #title")?.focus(t)}refuse(t,n=[]){this.#B("ready"),this.#r=[t,...this.#A(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#b)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#b)}willUpdate(t){t.has("request")&&this.#x(_t(this.request))}#x(t){let n=t?.elicitationId!==this.#e?.elicitationId;this.#e=t,n&&(this.#t=t?.mode==="form"?Wn(t.requestedSchema,t.fieldOrder):void 0,this.#n=Mo(this.#t??[]),this.#i=Object.create(null),this.#r=this.#a=void 0,this.#s="ready",this.#l={answered:!1,watched:!1},this.#f.start(t?.expiresAt,this.clock)),this.pending?this.#l.watched=!0:this.#m()}#m(){this.#f.stop(),this.shadowRoot?.activeElement&&(this.#c="outcome")}#d(t){this.#a=t,this.#m(),this.requestUpdate()}get#u(){return Hn(this.strings)}#h(){return dn(fn(this.#e)||this.#u("someone"))}#g(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#o(){let t=this.#e;if(t.context.trigger==="approvers")return"waiting";if(t.mode==="url")return"connect";if(!this.#t)return"unsupported";let[n,...i]=this.#t;return t.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!i.some(s=>s.required||s.kind!=="choice"&&!be(s)&&!(s.kind==="string"&&s.name==="reason"))?"approval":"form"}render(){if(!this.#e)return y;let t=this.#v(this.#e),n=this.#k();return g`${n?Ko(t,n):Wo(t,this.#$())}
<div class="hidden" role="status">${n&&this.#l.watched?n.sentence:this.#p}</div>
<div class="hidden" role="alert">${n?y:this.#r}</div>`}#k(){let t=this.#e.outcome??this.#a;return t==="elsewhere"?{tone:"neutral",sentence:this.#u("answerSettled")}:t&&Jo(this.#e,t,this.#l,this.#u)}#v(t){let n=this.#g();return{kind:this.#o(),question:t,service:this.#h(),phase:this.#s,problem:this.#r,address:t.mode==="url"?hi(t.url,n,t.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(t.elicitationId)}`,new URL("/",n)).href,fields:this.#t??[],entries:this.#n,errors:this.#i,say:this.#u,open:this.#y,submit:this.#S,decline:()=>{this.#C("decline")},decide:i=>this.#E(i),enter:(i,r)=>{this.#n={...this.#n,[i]:r},delete this.#i[i],this.requestUpdate()}}}#$(){let{left:t}=this.#f;if(t===void 0)return y;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return g`<span class="timer ${t<=Zc?"soon":""}" role="timer" aria-live="off"
title=${this.#u("expiresAt",{time:n})}>${z.clock}${this.#u("expiresIn",{time:Zr(t)})}</span>`}#y=t=>{let{url:n,context:i}=this.#e,r=hi(n,this.#g());if(!r)return t.preventDefault();this.#r=void 0,this.#s=r.foreign||Zo(r.href)?"opened":"blocked",this.requestUpdate(),r.foreign&&i.trigger==="mcp_elicitation"&&i.settledBy!=="page"&&this.#C("accept")};#b=t=>{let n=t.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||t.origin===new URL(this.#g()).origin&&(this.#s="confirming",this.requestUpdate(),this.#w("parley-hint",{elicitationId:n.elicitationId}))};#S=t=>{t.preventDefault();let{content:n,errors:i}=Zi(this.#t??[],this.#n,this.#u);this.#T(i)||this.#C("accept",n)};#T(t){this.#i=t;let n=Object.keys(t).length>0;return n&&this.#_(),n}#E(t){let[n,...i]=this.#t??[],r=u=>Zi(i.filter(u),this.#n,this.#u),{content:s}=r(u=>u.kind==="choice"&&!be(u)),o=t==="always_allow";if(t==="allow_once"&&Object.keys(s).length>0){let u=n?.options.find(d=>d.value==="always_allow")?.label??this.#u("always_allow");return this.#r=this.#u("limitsUnused",{always:W(u)}),this.requestUpdate()}let a=o||t==="allow_once"||t==="changed",l=r(u=>a?be(u):u.kind==="string"&&!be(u));if(a&&this.#T(l.errors))return;let c={...o&&s,...l.content,decision:t};this.#C("accept",c,ar(this.#t??[],c))}#_(){this.#r=this.#u("answerInvalid");let t=this.#t?.findIndex(n=>n.name in this.#i)??-1;t>=0&&(this.#c=Oo({id:`field-${t}`,field:this.#t[t]})),this.requestUpdate()}#A(t){let n=[];for(let{field:i,message:r}of t)this.#t?.some(s=>s.name===i)?this.#i[i]=r:n.push(r);return n}async#C(t,n,i){if(this.#s==="sending"||!this.pending)return;let{elicitationId:r}=this.#e,s={elicitationId:r,action:t,...n&&{content:n}},o=this.#s;if(this.#s="sending",this.#r=void 0,this.#l={answered:!0,watched:!0,decision:this.#o()==="approval"?String(n?.decision):void 0,chosen:i},this.requestUpdate(),!this.#w("parley-answer",s)||!this.endpoint)return;let a=()=>this.#e?.elicitationId===r;try{await Kr(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",s)}catch(l){a()&&this.#I(l,o);return}a()&&this.#d({action:t}),this.#w("parley-answered",s)}#B(t){this.#s=t,this.#l={answered:!1,watched:!0}}#I(t,n){this.#B(n);let i=t instanceof ce?t.status:0;if(t instanceof ce&&i===400){let r=this.#A(t.fields);this.#_(),(r.length>0||t.fields.length===0)&&(this.#r=r.join(" ")||t.said||this.#u("answerFailed"))}else i===409?this.#d("elsewhere"):i===410?this.#d({action:"expire"}):i===401?this.#r=this.#u("answerSignedOut"):i===403||i===404?this.#r=this.#u("answerForbidden"):this.#r=this.#u(i===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#w("parley-refused",{elicitationId:this.#e.elicitationId,status:i})}#w(t,n){return this.dispatchEvent(new CustomEvent(t,{bubbles:!0,composed:!0,cancelable:t==="parley-answer",detail:n}))}updated(){let t=this.#c;this.#c=void 0,t&&this.renderRoot.querySelector(`#${t}`)?.focus()}};customElements.get("parley-question")||customElements.define("parley-question",Kn);customElements.get("parley-chat")||customElements.define("parley-chat",Un);export{Un as ParleyChat,Kn as ParleyQuestion,To as english};
/*! @license micromark, mdast-util-from-markdown and their extensions: Copyright (c) Titus Wormer. SPDX-License-Identifier: MIT */
/*! Bundled license information:

@lit/reactive-element/css-tag.js:
(**
* @license
* Copyright 2019 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)

@lit/reactive-element/reactive-element.js:
lit-html/lit-html.js:
lit-element/lit-element.js:
lit-html/directive.js:
lit-html/directives/repeat.js:
(**
* @license
* Copyright 2017 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)

lit-html/is-server.js:
(**
* @license
* Copyright 2022 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)

lit-html/directive-helpers.js:
lit-html/directives/live.js:
(**
* @license
* Copyright 2020 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)

lit-html/directives/guard.js:
(**
* @license
* Copyright 2018 Google LLC
* SPDX-License-Identifier: BSD-3-Clause
*)
*/
